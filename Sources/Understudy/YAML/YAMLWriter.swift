package import BusinessLogic
import CYAML

extension Value {
    /// The value as YAML in block style, with a line feed at the end. A reader of YAML 1.1 or 1.2 reads the same value from it.
    package var yaml: String {
        let writer = YAMLWriter()
        writer.write(self)
        return writer.end()
    }
}

private struct YAMLWriter: ~Copyable {
    private final class Output {
        var bytes: [UInt8] = []
    }

    // Not a property itself, because it contains its own address.
    private let emitter = UnsafeMutablePointer<yaml_emitter_t>.allocate(capacity: 1)
    private let output = Output()

    init() {
        // This fails only without memory.
        precondition(yaml_emitter_initialize(emitter) == 1)
        yaml_emitter_set_output(
            emitter,
            { context, bytes, count in
                guard let context else { return 0 }
                // Unowned: `end` keeps it alive.
                let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
                output.bytes += UnsafeBufferPointer(start: bytes, count: count)
                return 1
            },
            Unmanaged.passUnretained(output).toOpaque()
        )
        yaml_emitter_set_indent(emitter, 2)
        yaml_emitter_set_width(emitter, 110)
        yaml_emitter_set_unicode(emitter, 1)
        emit { yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }
        emit { yaml_document_start_event_initialize($0, nil, nil, nil, 1) }
    }

    deinit {
        yaml_emitter_delete(emitter)
        emitter.deallocate()
    }

    func write(_ value: Value) {
        switch value {
        case .null: write("null")
        case .boolean(let value): write(value ? "true" : "false")
        case .number(.integer(let value)): write(value.description)
        case .number(.double(let value)): write(value.isFinite ? value.description : "null")
        case .string(let value): write(value, value.yamlStyle)
        case .array(let elements):
            emit { yaml_sequence_start_event_initialize($0, nil, nil, 1, YAML_BLOCK_SEQUENCE_STYLE) }
            for element in elements { write(element) }
            emit { yaml_sequence_end_event_initialize($0) }
        case .object(let members):
            emit { yaml_mapping_start_event_initialize($0, nil, nil, 1, YAML_BLOCK_MAPPING_STYLE) }
            for member in members {
                write(member.name, member.name.yamlStyleInOneLine)
                write(member.value)
            }
            emit { yaml_mapping_end_event_initialize($0) }
        }
    }

    private func write(_ text: String, _ style: yaml_scalar_style_t = YAML_PLAIN_SCALAR_STYLE) {
        var text = text
        text.withUTF8 { bytes in
            emit { yaml_scalar_event_initialize($0, nil, nil, bytes.baseAddress, Int32(bytes.count), 1, 1, style) }
        }
    }

    func end() -> String {
        emit { yaml_document_end_event_initialize($0, 1) }
        emit { yaml_stream_end_event_initialize($0) }
        return withExtendedLifetime(output) { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func emit(_ initialize: (UnsafeMutablePointer<yaml_event_t>) -> Int32) {
        var event = yaml_event_t()
        // libyaml rejects only invalid UTF-8 and events in a wrong order, and a value results in neither.
        precondition(
            initialize(&event) == 1 && yaml_emitter_emit(emitter, &event) == 1,
            "a value cannot be written as YAML"
        )
    }
}

extension String {
    /// If the text does not allow the most readable style, libyaml uses a stricter one.
    fileprivate var yamlStyle: yaml_scalar_style_t {
        let bytes = utf8
        if bytes.contains(UInt8(ascii: "\n")) { return YAML_LITERAL_SCALAR_STYLE }
        return bytes.count > 80 ? YAML_FOLDED_SCALAR_STYLE : yamlStyleInOneLine
    }

    /// Without quotes only if no reader can mistake the text for a number, a boolean or a timestamp.
    fileprivate var yamlStyleInOneLine: yaml_scalar_style_t {
        let startsPlain = utf8.first.map { $0 > UInt8(ascii: "9") && $0.isASCIIAlphanumeric || "/$".utf8.contains($0) }
        return startsPlain == true && !Self.wordsOfYAML.contains(lowercased())
            ? YAML_PLAIN_SCALAR_STYLE : YAML_SINGLE_QUOTED_SCALAR_STYLE
    }

    private static let wordsOfYAML: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
