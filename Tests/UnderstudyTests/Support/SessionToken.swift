@testable import Understudy

/// The session's token that is written so.
func sessionToken(_ text: String) -> SessionToken? {
    // In the middle of something else, as in a header.
    let bytes = Array("=\(text);".utf8)
    return bytes[1..<bytes.count - 1].withUnsafeBytes { SessionToken($0) }
}

extension SessionID {
    static func random() -> SessionID { SessionToken.random().id }
}
