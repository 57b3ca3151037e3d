import BusinessLogic

extension String {
    /// The template `paragraph` uses them. It knows the marks of Markdown that the document contains: lists of one or two levels, and code.
    var paragraphs: Value {
        var paragraphs: [[Substring]] = [[]]
        for line in utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isBlank) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(Substring(line))
            }
        }
        return .array(paragraphs.filter { !$0.isEmpty }.map(Self.paragraph))
    }

    private static func paragraph(_ lines: [Substring]) -> Value {
        if lines[0].utf8.starts(with: "```".utf8) {
            let code = lines.filter { !$0.utf8.starts(with: "```".utf8) }.joined(separator: "\n")
            return ["code": .string(code), "isList": false, "isText": false]
        }
        if lines[0].utf8.starts(with: "- ".utf8) {
            let items = lines.map { line -> Value in
                let text = line.utf8.drop(while: \.isBlank)
                let parts = String(Substring(text.dropFirst(2))).parts
                return ["parts": parts, "isNested": .boolean(text.startIndex > line.startIndex)]
            }
            return ["items": .array(items), "code": false, "isList": true, "isText": false]
        }
        return ["parts": lines.joined(separator: "\n").parts, "code": false, "isList": false, "isText": true]
    }

    /// The template `part` uses them: between two backticks is code.
    var parts: Value {
        let texts = utf8.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false)
        let parts = texts.enumerated().filter { !$1.isEmpty }.map { index, text -> Value in
            ["text": .string(String(Substring(text))), "isCode": .boolean(!index.isMultiple(of: 2)), "isLink": false]
        }
        return .array(parts)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
