import BusinessLogic

/// What an element of a template is bound to with an attribute of the module, so that the server shows it as well.
struct Binding: Sendable {
    /// The names that lead to the value, from the outputs of the page on or, in a row of a list, from the item on; none for the item itself.
    let path: [String]
    /// A template names it before the element; `nil` if it names none.
    let page: String?
}

/// An attribute from a value: one of `data-us-attribute`.
struct AttributeBinding: Sendable {
    /// That of `class.NAME` is `class`.
    let name: String
    let isNegated: Bool
    /// Texts and values in turn: `/product?product={name}` is a text and a value. A binding by itself is written as it is, others encoded.
    let pieces: [Piece]
    /// The element has the class while the value is true; `nil` for another attribute.
    let className: String?

    enum Piece: Sendable {
        case text(String)
        case name(Template.Name)
        case value(Binding)
    }

    /// They have no value: the element has them while the value is true.
    private static let booleans: Set<String> = [
        "hidden", "disabled", "checked", "required", "readonly", "open", "inert", "selected", "multiple",
    ]
    var isBoolean: Bool { Self.booleans.contains(name) }
}

/// Adds to a template what its bindings show. So a template says it once, and the server and the module show the same.
///
/// - After an empty element with `data-us-text`, its text.
/// - In a tag with `data-us-attribute`, the attributes that it does not have already. A control is never disabled.
/// - After the template in an element with `data-us-list`, the rows, unless a section follows that has them.
/// - After a template with `data-us-if`, its content.
struct BindingCompiler {
    /// How many templates of elements may be in each other. Those in more have no bindings.
    private static let maximumDepth = 100

    private var page: String?
    private let depth: Int
    private var waiting: WaitingParts
    private var compiled: [Template.Part] = []
    private var list: Binding?

    static func compile(_ parts: [Template.Part], page: String? = nil, depth: Int = 0) -> [Template.Part] {
        guard depth < maximumDepth else { return parts }
        var compiler = BindingCompiler(page: page, depth: depth, waiting: WaitingParts(parts))
        compiler.compile()
        return compiler.compiled
    }

    private mutating func compile() {
        while let piece = waiting.next() {
            switch piece {
            case .text(let text): compile(text)
            case .part(.section(let name, let parts, let isInverted)):
                append(.section(name, inner(parts), isInverted: isInverted))
            case .part(.inclusion(let name, let blocks)): append(.inclusion(name, blocks: blocks.mapValues(inner)))
            case .part(.block(let name, let parts)): append(.block(name, inner(parts)))
            case .part(let part): append(part)
            }
        }
    }

    private func inner(_ parts: [Template.Part]) -> [Template.Part] {
        Self.compile(parts, page: page, depth: depth + 1)
    }

    private mutating func append(_ part: Template.Part) { compiled.append(part) }
    private mutating func append(_ text: some Sequence<UInt8>) { compiled.append(.text(Array(text))) }

    /// Compiles a text up to its first tag, and what the tag begins. The rest of the text waits.
    private mutating func compile(_ text: ArraySlice<UInt8>) {
        let start = text.indices.first { index in
            text[index] == UInt8(ascii: "<") && index + 1 < text.endIndex
                && (text[index + 1] == UInt8(ascii: "/") || text[index + 1].isASCIIAlphanumeric)
        }
        guard let start else { return append(text) }
        if start > text.startIndex { append(text[..<start]) }
        if text[start + 1] == UInt8(ascii: "/") {
            list = nil
            let end = text[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? text.endIndex
            append(text[start..<end])
            return waiting.putBack(text[end...])
        }
        waiting.putBack(text[start...])
        var tag = Tag(reading: &waiting)
        if let name = tag["data-us-page"] { page = name }
        tag.add(attributes(of: tag))
        compiled += tag.parts
        if tag.name == "template" { return compileTemplate(tag) }
        list = tag["data-us-list"].map(binding)
        if let key = tag["data-us-text"], case .text(let rest) = waiting.peek(), rest.starts(with: "</".utf8) {
            append(.bound(binding(key)))
        }
    }

    private func binding(_ key: some StringProtocol) -> Binding {
        Binding(path: String(key).utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }, page: page)
    }

    // MARK: Templates

    private mutating func compileTemplate(_ tag: Tag) {
        let content = templateContent()
        compiled += content
        append("</template>".utf8)
        let shown = inner(content)
        if let key = tag["data-us-if"] {
            let isNegated = key.utf8.first == UInt8(ascii: "!")
            let condition = binding(isNegated ? key.dropFirst() : key[...])
            return append(.condition(condition, Self.marked(shown), isNegated: isNegated))
        }
        guard let list = list.take() else { return }
        var next = waiting.peek()
        if case .text(let text) = next, text.allSatisfy({ $0 <= 0x20 }) { next = waiting.peek(1) }
        if case .part(.section) = next { return }
        append(.rows(list, shown))
    }

    /// Takes the parts up to the end of the template that has begun, and that end.
    private mutating func templateContent() -> [Template.Part] {
        var (parts, depth): ([Template.Part], Int) = ([], 1)
        let (start, end) = (Array("<template".utf8), Array("</template>".utf8))
        while let piece = waiting.next() {
            guard case .text(let text) = piece else {
                parts.append(piece.part)
                continue
            }
            for index in text.indices where text[index] == UInt8(ascii: "<") {
                if text[index...].starts(with: start) { depth += 1 }
                if text[index...].starts(with: end) { depth -= 1 }
                guard depth == 0 else { continue }
                if index > text.startIndex { parts.append(.text(Array(text[..<index]))) }
                waiting.putBack(text[(index + end.count)...])
                return parts
            }
            parts.append(piece.part)
        }
        return parts
    }

    /// What a condition shows, with a mark by which the module finds it.
    private static func marked(_ parts: [Template.Part]) -> [Template.Part] {
        guard case .text(let text) = parts.first, let start = text.firstIndex(of: UInt8(ascii: "<")) else {
            return parts
        }
        let end = text[(start + 1)...].firstIndex { !$0.isASCIIAlphanumeric && $0 != UInt8(ascii: "-") } ?? text.count
        var marked = text
        marked.insert(contentsOf: " data-us-shown".utf8, at: end)
        return [.text(marked)] + parts.dropFirst()
    }

    // MARK: Attributes

    private func attributes(of tag: Tag) -> [AttributeBinding] {
        guard let text = tag.bindings else { return [] }
        return text.matches(of: /([^\s,:]+):\s*(!?)([^\s,]+)/.matchingSemantics(.unicodeScalar)).compactMap { match in
            let (name, not, value) = (String(match.1), String(match.2), String(match.3))
            let className = name.hasPrefix("class.") ? String(name.dropFirst(6)) : nil
            // Without JavaScript, nothing would enable it.
            if className == nil, tag.hasAttribute(name) || name == "disabled" || name == "aria-disabled" { return nil }
            return AttributeBinding(
                name: className == nil ? name : "class",
                isNegated: !not.isEmpty,
                pieces: pieces(value, tag.names),
                className: className
            )
        }
    }

    private func pieces(_ value: String, _ names: [Template.Name]) -> [AttributeBinding.Piece] {
        guard value.utf8.contains(UInt8(ascii: "{")) else { return [.value(binding(value))] }
        var (pieces, rest): ([AttributeBinding.Piece], Substring) = ([], value[...])
        while let hole = rest.firstMatch(of: /{([^}]+)}|\u{1}(\d+)\u{2}/.matchingSemantics(.unicodeScalar)) {
            pieces.append(.text(String(rest[..<hole.range.lowerBound])))
            pieces.append(hole.1.map { .value(binding($0)) } ?? .name(names[hole.2.flatMap { Int($0) } ?? 0]))
            rest = rest[hole.range.upperBound...]
        }
        return pieces + [.text(String(rest))]
    }
}

/// What is left of a text shares its bytes, so that a long one is not copied for each tag.
private struct WaitingParts {
    enum Piece {
        case text(ArraySlice<UInt8>)
        case part(Template.Part)

        var part: Template.Part {
            switch self {
            case .text(let text): .text(Array(text))
            case .part(let part): part
            }
        }
    }

    /// The next one last.
    private var pieces: [Piece]

    init(_ parts: [Template.Part]) {
        pieces = parts.reversed().map { if case .text(let text) = $0 { .text(text[...]) } else { .part($0) } }
    }

    mutating func next() -> Piece? { pieces.popLast() }

    /// The piece after `count` others; `nil` after the last one.
    func peek(_ count: Int = 0) -> Piece? { pieces.dropLast(count).last }

    mutating func putBack(_ text: ArraySlice<UInt8>) {
        if !text.isEmpty { pieces.append(.text(text)) }
    }
}

private struct Tag {
    private(set) var name = ""
    private(set) var parts: [Template.Part] = []
    /// The attributes, with their values. The number of a name of the template is between two control characters; `nil` if something else
    /// of the template is in the value.
    private var attributes: [String: String?] = [:]
    private(set) var names: [Template.Name] = []
    /// Where the value of `class` ends: the part and the byte.
    private var endOfClass: (part: Int, byte: Int)?

    /// `nil` if the tag has no such attribute, or a part of its value is known only when the page is written.
    subscript(name: String) -> String? { attributes[name]?.flatMap { $0.utf8.contains(1) ? nil : $0 } }

    var bindings: String? { attributes["data-us-attribute"] ?? nil }

    func hasAttribute(_ name: String) -> Bool { attributes[name] != nil }

    /// Takes a tag, which begins the first part.
    init(reading waiting: inout WaitingParts) {
        var (name, value, quote): ([UInt8], [UInt8]?, UInt8?) = ([], nil, nil)
        var (isLiteral, isFirst) = (true, true)
        while let piece = waiting.next() {
            guard case .text(let text) = piece else {
                let part = piece.part
                parts.append(part)
                if case .section(_, let parts, _) = part, quote == nil { addNames(in: parts) }
                if case .value(let name, _) = part {
                    value? += Array("\u{1}\(names.count)\u{2}".utf8)
                    names.append(name)
                } else {
                    isLiteral = false
                }
                continue
            }
            for (index, byte) in zip(text.indices, text).dropFirst(isFirst && parts.isEmpty ? 1 : 0) {
                let isSpace = byte <= 0x20 || byte == UInt8(ascii: "/") && quote == nil && value == nil
                let isEnd = quote == nil && byte == UInt8(ascii: ">")
                if let open = quote, byte != open {
                    value?.append(byte)
                } else if quote == nil, value == [], byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    (quote, isLiteral) = (byte, true)
                } else if quote != nil || isSpace || isEnd {
                    if isFirst {
                        (self.name, isFirst) = (String(decoding: name, as: UTF8.self), false)
                    } else if !name.isEmpty {
                        let name = String(decoding: name, as: UTF8.self)
                        let content = String(decoding: value ?? [], as: UTF8.self).replacingBytes("&amp;", with: "&")
                        attributes[name] = .some(isLiteral ? content : nil)
                        if name == "class", quote != nil { endOfClass = (parts.count, index - text.startIndex) }
                    }
                    (name, value, quote, isLiteral) = ([], nil, nil, true)
                } else if value != nil {
                    value?.append(byte)
                } else if byte == UInt8(ascii: "=") {
                    value = []
                } else {
                    name.append(byte)
                }
                guard isEnd else { continue }
                parts.append(.text(Array(text[...index])))
                waiting.putBack(text[(index + 1)...])
                return
            }
            parts.append(.text(Array(text)))
        }
    }

    private mutating func addNames(in parts: [Template.Part]) {
        for part in parts {
            if case .section(_, let parts, _) = part { addNames(in: parts) }
            guard case .text(let text) = part else { continue }
            for match in String(decoding: text, as: UTF8.self).matches(
                of: /\s([a-z-]+)/.matchingSemantics(.unicodeScalar)
            ) {
                attributes[String(match.1)] = .some(nil)
            }
        }
    }

    mutating func add(_ bindings: [AttributeBinding]) {
        guard case .text(let end) = parts.last, end.last == UInt8(ascii: ">"), !bindings.isEmpty else { return }
        let others = bindings.filter { $0.className == nil }.map(Template.Part.attribute)
        parts[parts.count - 1] = .text(end.dropLast())
        parts += others + [.text([UInt8(ascii: ">")])]
        let classes = bindings.filter { $0.className != nil }.map(Template.Part.attribute)
        if classes.isEmpty { return }
        guard let endOfClass, case .text(let text) = parts[endOfClass.part] else {
            let attribute = [.text(Array(" class=\"".utf8))] + classes + [.text([UInt8(ascii: "\"")])]
            return parts.insert(contentsOf: attribute, at: parts.count - 1)
        }
        let divided = [.text(Array(text[..<endOfClass.byte]))] + classes + [.text(Array(text[endOfClass.byte...]))]
        parts.replaceSubrange(endOfClass.part...endOfClass.part, with: divided)
    }
}
