extension String {
    /// All special characters are numeric codes.
    var mermaidText: String {
        unicodeScalars.map { scalar in
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || " _.,=/@+'()-".unicodeScalars.contains(scalar) ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}

extension [String] {
    var mermaidText: String { map(\.mermaidText).joined(separator: "<br/>") }
}
