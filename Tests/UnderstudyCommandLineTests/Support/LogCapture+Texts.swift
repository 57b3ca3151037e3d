extension LogCapture {
    /// The messages with their metadata.
    var texts: [String] {
        lines.map { line in
            let members = line.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(line.message): \(members.joined(separator: " "))"
        }
    }
}
