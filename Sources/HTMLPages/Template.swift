import BusinessLogic

/// A template in Mustache, which is parsed once.
struct Template: Sendable {
    indirect enum Part: Sendable {
        case text([UInt8])
        case value(Name, isEscaped: Bool)
        case section(Name, [Part], isInverted: Bool)
        /// Another template at this place, and what replaces its blocks.
        case inclusion(Name, blocks: [String: [Part]])
        /// A template that includes this one can replace it.
        case block(String, [Part])
        case bound(Binding)
        case attribute(AttributeBinding)
        case rows(Binding, [Part])
        /// What is shown while a value is true.
        case condition(Binding, [Part], isNegated: Bool)
    }

    /// A name in a tag, split once.
    struct Name: Sendable {
        let text: String
        /// The names that dots separate; none of `.`, which is the innermost value.
        let parts: [String]
        let place: Place
    }

    /// Columns count code points.
    struct Place: Sendable {
        var line = 1
        var column = 1
    }

    let parts: [Part]

    /// The path is `nil` for a part of the program.
    init(_ text: some Sequence<UInt8>, named name: String, path: String?) throws(HTMLTemplateError) {
        var parser = TemplateParser(template: name, path: path, bytes: Array(text))
        parts = BindingCompiler.compile(try parser.parse())
    }

    /// Each part is before those in it. `isAlways` leaves out what is in sections, which may end.
    func allParts(shownAlways isAlways: Bool = false) -> [Part] {
        func all(_ parts: [Part]) -> [Part] {
            parts.flatMap { part in
                switch part {
                case .text, .value, .bound, .attribute, .rows, .condition: [part]
                case .section(_, let parts, _): isAlways ? [part] : [part] + all(parts)
                case .inclusion(_, let blocks): [part] + blocks.values.flatMap(all)
                case .block(_, let parts): [part] + all(parts)
                }
            }
        }
        return all(parts)
    }

    var inclusions: [Name] {
        allParts(shownAlways: true).compactMap { if case .inclusion(let name, _) = $0 { name } else { nil } }
    }
}

private struct TemplateParser {
    /// How many tags may be in each other: the parser and the renderer call themselves for each.
    private static let maximumDepth = 100

    let template: String
    let path: String?
    let bytes: [UInt8]
    var position = 0
    var place = Template.Place()
    var located = 0

    mutating func parse() throws(HTMLTemplateError) -> [Template.Part] { try parts(of: nil, depth: 0) }

    private struct Tag {
        /// The byte after the braces; a space if the tag begins with its name.
        let kind: UInt8
        let name: Template.Name
    }

    /// The parts up to the tag that closes another one, or up to the end.
    private mutating func parts(of opened: Tag?, depth: Int) throws(HTMLTemplateError) -> [Template.Part] {
        if let opened, depth > Self.maximumDepth {
            throw fault("expected at most \(Self.maximumDepth) tags in each other", opened.name.place)
        }
        var parts: [Template.Part] = []
        while let tag = try nextTag(after: &parts) {
            switch tag.kind {
            case UInt8(ascii: "#"), UInt8(ascii: "^"):
                let content = try self.parts(of: tag, depth: depth + 1)
                parts.append(.section(tag.name, content, isInverted: tag.kind == UInt8(ascii: "^")))
            case UInt8(ascii: "$"): parts.append(.block(tag.name.text, try self.parts(of: tag, depth: depth + 1)))
            case UInt8(ascii: "<"): parts.append(try inclusion(tag, depth: depth))
            case UInt8(ascii: ">"): parts.append(.inclusion(tag.name, blocks: [:]))
            case UInt8(ascii: "/"):
                guard tag.name.text == opened?.name.text else {
                    throw fault("the closing tag does not belong to the tag that is open", tag.name.place)
                }
                return parts
            default: parts.append(.value(tag.name, isEscaped: tag.kind == UInt8(ascii: " ")))
            }
        }
        if let opened { throw fault("expected a closing tag", opened.name.place) }
        return parts
    }

    private mutating func inclusion(_ tag: Tag, depth: Int) throws(HTMLTemplateError) -> Template.Part {
        var blocks: [String: [Template.Part]] = [:]
        for part in try parts(of: tag, depth: depth + 1) {
            switch part {
            case .block(let name, let parts): blocks[name] = parts
            case .text: break
            default: throw fault("expected only blocks in the tag", tag.name.place)
            }
        }
        return .inclusion(tag.name, blocks: blocks)
    }

    /// Appends the text before the next tag, and returns the tag; `nil` at the end. A tag that is alone on its line, and shows no value, takes the
    /// whole line.
    private mutating func nextTag(after parts: inout [Template.Part]) throws(HTMLTemplateError) -> Tag? {
        while true {
            let (beginning, start) = (position, index(of: Array("{{".utf8)))
            guard let start else {
                append(bytes[beginning...], to: &parts)
                position = bytes.count
                return nil
            }
            position = start + 2
            let kind = position < bytes.count && "#^/$<>{&!".utf8.contains(bytes[position]) ? bytes[position] : 0x20
            if kind != 0x20 { position += 1 }
            if kind == UInt8(ascii: "!") { try skipComment() }
            let tag = kind == UInt8(ascii: "!") ? nil : Tag(kind: kind, name: try name(kind))
            let line = kind == 0x20 || "{&".utf8.contains(kind) ? nil : lineOfTag(from: start)
            append(bytes[beginning..<(line?.start ?? start)], to: &parts)
            if let line { position = line.end }
            if let tag { return tag }
        }
    }

    private func append(_ text: ArraySlice<UInt8>, to parts: inout [Template.Part]) {
        if text.isEmpty { return }
        // A comment is between the two.
        if case .text(let before) = parts.last {
            parts[parts.count - 1] = .text(before + text)
        } else {
            parts.append(.text(Array(text)))
        }
    }

    /// The tag ends here; `nil` if there is something else on its line. `start` is where its spaces begin.
    private func lineOfTag(from start: Int) -> (start: Int, end: Int)? {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var (before, after) = (start, position)
        while before > 0, isBlank(bytes[before - 1]) { before -= 1 }
        guard before == 0 || bytes[before - 1] == UInt8(ascii: "\n") else { return nil }
        while after < bytes.count, isBlank(bytes[after]) { after += 1 }
        if after == bytes.count { return (before, after) }
        if bytes[after] == UInt8(ascii: "\r") { after += 1 }
        guard after < bytes.count, bytes[after] == UInt8(ascii: "\n") else { return nil }
        return (before, after + 1)
    }

    // MARK: In a tag

    private mutating func name(_ kind: UInt8) throws(HTMLTemplateError) -> Template.Name {
        skipSpaces()
        let start = position
        let place = place(of: start)
        while position < bytes.count, isPartOfName(bytes[position], kind) { position += 1 }
        let text = bytes[start..<position]
        skipSpaces()
        let end = (kind == UInt8(ascii: "{") ? "}}}" : "}}").utf8
        guard !text.isEmpty, bytes[position...].starts(with: end) else {
            throw fault("expected a name and '}}'", place)
        }
        position += end.count
        let parts = text.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
        return .init(text: String(decoding: text, as: UTF8.self), parts: parts, place: place)
    }

    private func isPartOfName(_ byte: UInt8, _ kind: UInt8) -> Bool {
        if byte == UInt8(ascii: "/") { return "></".utf8.contains(kind) }
        return byte.isASCIIAlphanumeric || ".-_?*".utf8.contains(byte)
    }

    private mutating func skipComment() throws(HTMLTemplateError) {
        guard let end = index(of: Array("}}".utf8)) else { throw fault("expected '}}'", place(of: position)) }
        position = end + 2
    }

    private mutating func skipSpaces() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func index(of part: [UInt8]) -> Int? { bytes[position...].firstRange(of: part)?.lowerBound }

    // MARK: Faults

    /// The position must not be before one of an earlier call.
    private mutating func place(of position: Int) -> Template.Place {
        while located < position {
            if bytes[located] == UInt8(ascii: "\n") {
                place = Template.Place(line: place.line + 1)
            } else if bytes[located] & 0xC0 != 0x80 {
                place.column += 1
            }
            located += 1
        }
        return place
    }

    private func fault(_ reason: String, _ place: Template.Place) -> HTMLTemplateError {
        HTMLTemplateError(template, path, at: place, reason)
    }
}
