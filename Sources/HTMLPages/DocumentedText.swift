extension String {
    /// The text's paragraphs, as the template `paragraph` uses them. It knows the marks of Markdown that the document contains: lists of
    /// one or two levels, and code.
    var paragraphs: [[String: Any]] {
        var paragraphs: [[Substring]] = [[]]
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { lines in
            if lines[0].hasPrefix("```") {
                return [
                    "code": lines.filter { !$0.hasPrefix("```") }.joined(separator: "\n"), "isList": false,
                    "isText": false,
                ]
            }
            if lines[0].hasPrefix("- ") {
                let items = lines.map { line -> [String: Any] in
                    let text = line.drop(while: \.isWhitespace)
                    return ["parts": String(text.dropFirst(2)).parts, "isNested": text.startIndex > line.startIndex]
                }
                return ["items": items, "code": false, "isList": true, "isText": false]
            }
            return ["parts": lines.joined(separator: "\n").parts, "code": false, "isList": false, "isText": true]
        }
    }

    /// The words and the code of a text, as the template `part` uses them: between two backticks is code.
    var parts: [[String: Any]] {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, text in
            text.isEmpty ? nil : ["text": String(text), "isCode": !index.isMultiple(of: 2), "isLink": false]
        }
    }
}
