extension String {
    /// The text in a Mermaid diagram, with all special characters as numeric codes.
    var mermaidText: String {
        unicodeScalars.map { scalar in
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || " _.,=/@+'()-".unicodeScalars.contains(scalar) ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}

extension [String] {
    /// The lines as the text of a node in a Mermaid diagram.
    var mermaidText: String { map(\.mermaidText).joined(separator: "<br/>") }
}
