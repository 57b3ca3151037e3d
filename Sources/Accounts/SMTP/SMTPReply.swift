/// A line of an SMTP server's reply (RFC 5321 section 4.2): `550 5.1.1 No such user`.
struct SMTPReply {
    /// The code, such as `550`.
    let code: Int
    /// The enhanced status code (RFC 3463), such as `5.1.1`; `nil` if the line contains none.
    let status: String?

    /// - Parameter line: with or without its end.
    init?(_ line: some Collection<UInt8>) {
        let words = String(decoding: line, as: UTF8.self).split(maxSplits: 2) { " \r\n".contains($0) }
        guard let first = words.first, first.utf8.count >= 3, let code = Int(first.prefix(3)) else { return nil }
        self.code = code
        let parts = words.dropFirst().first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        let isStatus = parts.count == 3 && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt16($0) != nil }
        status = isStatus ? parts.joined(separator: ".") : nil
    }
}
