@testable import Understudy

/// The session's id that is written so.
func sessionID(_ text: String) -> SessionID? {
    // In the middle of something else, as in a header.
    let bytes = Array("=\(text);".utf8)
    return SessionID(bytes[1..<bytes.count - 1])
}
