import CYAML

extension YAMLNode {
    package static let maximumDepth = 32

    /// Reads a document: YAML 1.1 without anchors, or JSON, which YAML includes. Tags have no effect.
    ///
    /// - Returns: `nil` if the text contains only comments.
    /// - Throws: ``YAMLError`` if the text is malformed, contains several documents, repeats a name in a mapping, has a name that is not a text, or
    ///   is deeper than ``maximumDepth``.
    package static func read(_ text: [UInt8]) throws(YAMLError) -> YAMLNode? { try YAMLReader(text).document() }
}

private final class YAMLReader {
    private typealias Event = (type: yaml_event_type_t, text: String, isPlain: Bool)

    // Not a property itself, because it contains its own address.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>
    private var mark = yaml_mark_t()

    init(_ text: [UInt8]) {
        self.text = .allocate(capacity: text.count)
        _ = self.text.initialize(fromContentsOf: text)
        // This fails only without memory.
        precondition(yaml_parser_initialize(parser) == 1)
        yaml_parser_set_input_string(parser, self.text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    func document() throws(YAMLError) -> YAMLNode? {
        _ = try next()
        guard try next().type == YAML_DOCUMENT_START_EVENT else { return nil }
        let node = try node(next(), depth: 0)
        _ = try next()
        guard try next().type == YAML_STREAM_END_EVENT else { throw error("it contains several documents") }
        return node
    }

    private func node(_ event: Event, depth: Int) throws(YAMLError) -> YAMLNode {
        guard depth <= YAMLNode.maximumDepth else { throw error("it is nested too deeply") }
        switch event.type {
        case YAML_SCALAR_EVENT: return .scalar(event.text, isPlain: event.isPlain)
        case YAML_SEQUENCE_START_EVENT:
            var elements: [YAMLNode] = []
            while let element = try element() { elements.append(try node(element, depth: depth + 1)) }
            return .sequence(elements)
        case YAML_MAPPING_START_EVENT:
            var members: [YAMLNode.Member] = []
            var names: Set<String> = []
            while let key = try element() {
                guard key.type == YAML_SCALAR_EVENT else { throw error("a name must be a text") }
                guard names.insert(key.text).inserted else { throw error("'\(key.text)' is there more than once") }
                members.append(YAMLNode.Member(name: key.text, node: try node(next(), depth: depth + 1)))
            }
            return .mapping(members)
        default: throw error("anchors and aliases are not supported")
        }
    }

    /// `nil` at the end of the sequence or mapping.
    private func element() throws(YAMLError) -> Event? {
        let event = try next()
        return event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT ? nil : event
    }

    private func next() throws(YAMLError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        mark = event.start_mark
        guard event.type == YAML_SCALAR_EVENT else { return (event.type, "", false) }
        let scalar = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        return (event.type, text, scalar.style == YAML_PLAIN_SCALAR_STYLE)
    }

    private func failure() -> YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it is malformed"
        guard parser.pointee.error != YAML_READER_ERROR else { return YAMLError(line: 0, column: 0, problem: problem) }
        return YAMLError(parser.pointee.problem_mark, problem)
    }

    private func error(_ problem: String) -> YAMLError { YAMLError(mark, problem) }
}

extension YAMLError {
    fileprivate init(_ mark: yaml_mark_t, _ problem: String) {
        self.init(line: mark.line + 1, column: mark.column + 1, problem: problem)
    }
}
