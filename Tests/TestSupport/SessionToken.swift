package import UnderstudySessions

/// The session token with this text, if it is valid.
package func sessionToken(_ text: String) -> SessionToken? {
    // Inside other text, as in a header.
    let bytes = "=\(text);".bytes
    return bytes[1..<bytes.count - 1].withUnsafeBytes { SessionToken($0) }
}
