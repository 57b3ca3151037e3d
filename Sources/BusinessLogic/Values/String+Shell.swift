extension String {
    package var shellQuoted: String {
        // Not by `Character`: a quotation mark with a combining mark is still one for a shell.
        let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
}
