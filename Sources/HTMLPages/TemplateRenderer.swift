import BusinessLogic

enum TemplateValue: Sendable {
    /// As for the module, `null`, an empty text, 0 and an empty list are false.
    case json(Value)
    /// The text is that of the name itself, if it has one.
    case names([String: TemplateValue], text: String? = nil)
    /// Made if a template needs it.
    case computed(@Sendable () -> Value)

    static func text(_ text: String?) -> TemplateValue { .json(Value(text)) }
    static func texts(_ texts: [String]) -> TemplateValue { .json(.array(texts.map(Value.string))) }

    /// `nil` if the value is something else.
    var text: String? { if case .json(let value) = self { value.string } else { nil } }

    func member(_ name: String) -> TemplateValue? {
        switch self {
        case .json(.object(let object)): object[name].map(TemplateValue.json)
        case .names(let names, _): names[name]
        case .computed(let value): TemplateValue.json(value()).member(name)
        case .json: nil
        }
    }
}

struct TemplateRenderer {
    /// How many sections, blocks and templates may be in each other: a template can include itself in a section.
    private static let maximumDepth = 500

    private let template: String
    private let templates: [String: Template]
    private(set) var output: [UInt8] = []
    /// The innermost last.
    private var scopes: [TemplateValue]
    private var blocks: [String: [Template.Part]] = [:]
    private var depth = 0
    private let outputs: ShownOutputs?
    /// The item of a list that is being written, and the path of the list.
    private var row: (item: Value, path: [String])?

    /// The template is named in errors. The outputs are `nil` for what is no page of the service.
    init(
        _ template: String,
        _ templates: [String: Template],
        _ context: [String: TemplateValue],
        _ outputs: ShownOutputs?
    ) {
        self.template = template
        self.templates = templates
        self.outputs = outputs
        scopes = [.names(context)]
        output.reserveCapacity(8192)
    }

    /// Writes nothing if there is no such template.
    mutating func render(_ name: String) throws(HTMLTemplateError) {
        if let template = templates[name] { try render(template.parts) }
    }

    private mutating func render(_ parts: [Template.Part]) throws(HTMLTemplateError) {
        guard depth < Self.maximumDepth else {
            let reason = "it includes itself, or one that includes it, without end"
            throw HTMLTemplateError(template: template, path: nil, reason: reason)
        }
        depth += 1
        for index in parts.indices {
            switch parts[index] {
            case .text(let text): output += text
            case .value(let name, let isEscaped): if let value = value(of: name) { write(value, isEscaped: isEscaped) }
            case .section(let name, let parts, isInverted: false): try render(value(of: name), parts)
            case .section(let name, let parts, isInverted: true):
                if value(of: name).map(isTrue) != true { try render(parts) }
            case .inclusion(let name, let blocks): try render(name.text, replacing: blocks)
            case .block(let name, let parts): try render(blocks[name] ?? parts)
            case .bound(let binding): write(bound: binding)
            case .attribute(let attribute): write(attribute)
            case .rows(let list, let parts): try renderRows(of: list, parts)
            case .condition(let binding, let parts, let isNegated):
                // Before the page has rendered the value, neither is shown.
                if let value = value(of: binding), isTrue(.json(value)) != isNegated { try render(parts) }
            }
        }
        depth -= 1
    }

    private mutating func render(_ name: String, replacing inner: [String: [Template.Part]]) throws(HTMLTemplateError) {
        let outer = blocks
        if !inner.isEmpty { blocks.merge(inner) { outer, _ in outer } }
        try render(name)
        blocks = outer
    }

    // MARK: Sections

    private mutating func render(_ value: TemplateValue?, _ parts: [Template.Part]) throws(HTMLTemplateError) {
        guard let value, isTrue(value) else { return }
        switch value {
        case .json(.boolean): try render(parts)
        case .json(.array(let elements)): for element in elements { try render(parts, in: .json(element)) }
        case .json, .names, .computed: try render(parts, in: value)
        }
    }

    private mutating func render(_ parts: [Template.Part], in scope: TemplateValue) throws(HTMLTemplateError) {
        scopes.append(scope)
        try render(parts)
        scopes.removeLast()
    }

    private func isTrue(_ value: TemplateValue) -> Bool {
        switch value {
        case .json(.null), .json(.string("")), .json(.boolean(false)): false
        case .json(.array(let elements)): !elements.isEmpty
        case .json(let value): value.double != 0
        case .computed: true
        case .names(let names, let text): text != nil || !names.isEmpty
        }
    }

    // MARK: Names

    /// The value that a name means in the innermost scope that knows its first part.
    private func value(of name: Template.Name) -> TemplateValue? {
        var value = scopes.last
        if let first = name.parts.first {
            value = nil
            for index in scopes.indices.reversed() {
                value = scopes[index].member(first)
                if value != nil { break }
            }
            for part in name.parts.dropFirst() { value = value?.member(part) }
        }
        if case .computed(let computed) = value { value = .json(computed()) }
        return value
    }

    // MARK: Bindings

    private func isShown(_ binding: Binding) -> Bool {
        outputs.map { binding.page == nil || binding.page == $0.page } ?? false
    }

    /// `nil` if the binding is not one to the page that is written.
    private func value(of binding: Binding) -> Value? {
        guard let outputs, isShown(binding) else { return nil }
        var value: Value? = row?.item ?? outputs.values
        for name in binding.path { value = value?[name] }
        return value
    }

    private func path(of binding: Binding) -> [String] { (row?.path ?? []) + binding.path }

    private mutating func write(bound binding: Binding) {
        guard let outputs, let value = value(of: binding) else { return }
        write(outputs.text(of: value, at: path(of: binding)), isEscaped: true)
    }

    private mutating func renderRows(of list: Binding, _ parts: [Template.Part]) throws(HTMLTemplateError) {
        let (outer, path) = (row, path(of: list))
        for item in value(of: list).elements {
            row = (item, path)
            try render(parts)
        }
        row = outer
    }

    private mutating func write(_ attribute: AttributeBinding) {
        var text = ""
        if attribute.pieces.count == 1, case .value(let binding) = attribute.pieces[0] {
            guard isShown(binding) else { return }
            let value = value(of: binding) ?? .null
            let isTrue = isTrue(.json(value)) != attribute.isNegated
            if let name = attribute.className { return isTrue ? write(" \(name)", isEscaped: true) : () }
            if attribute.isBoolean { return isTrue ? write(" \(attribute.name)", isEscaped: false) : () }
            switch attribute.isNegated ? .boolean(isTrue) : value {
            case .null, .boolean(false): return
            case .boolean: text = attribute.name.hasPrefix("aria-") ? "true" : ""
            case let value: text = value.formText ?? "\(value)"
            }
        } else {
            for piece in attribute.pieces {
                switch piece {
                case .text(let part): text += part
                case .name(let name): text += value(of: name)?.text ?? ""
                case .value(let binding): text += value(of: binding)?.formText?.queryEncoded ?? ""
                }
            }
        }
        if text.isScript { return }
        write(" \(attribute.name)=\"", isEscaped: false)
        write(text, isEscaped: true)
        write("\"", isEscaped: false)
    }

    // MARK: Output

    private mutating func write(_ value: TemplateValue, isEscaped: Bool) {
        switch value {
        case .json(.null), .computed, .names(_, text: nil): break
        case .json(.string(let text)), .names(_, let text?): write(text, isEscaped: isEscaped)
        case .json(let value): write("\(value)", isEscaped: isEscaped)
        }
    }

    private mutating func write(_ text: String, isEscaped: Bool) {
        guard isEscaped else { return output.append(contentsOf: text.utf8) }
        var text = text
        text.withUTF8 { escape($0) }
    }

    /// Writes the bytes so that they are text in HTML, in an element or between quotation marks. Each byte is looked at by itself: a code point
    /// that forms a character with the one before or after it changes nothing.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let entity: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): entity = "&amp;"
            case UInt8(ascii: "<"): entity = "&lt;"
            case UInt8(ascii: ">"): entity = "&gt;"
            case UInt8(ascii: "\""): entity = "&quot;"
            case UInt8(ascii: "'"): entity = "&#39;"
            default: continue
            }
            output.append(contentsOf: text[start..<index])
            output.append(contentsOf: UnsafeBufferPointer(start: entity.utf8Start, count: entity.utf8CodeUnitCount))
            start = index + 1
        }
        output.append(contentsOf: text[start...])
    }
}

extension String {
    /// Whether the text is a script as an address. Browsers ignore the bytes that are left out here.
    fileprivate var isScript: Bool {
        utf8.lazy.filter { $0 > 0x20 }.prefix(11).map { $0 | 0x20 }.elementsEqual("javascript:".utf8.map { $0 | 0x20 })
    }
}
