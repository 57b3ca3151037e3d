/// Why a test's call to a server failed.
public enum TestClientError: Error, Equatable, Sendable {
    /// No process listens on the address.
    case refused
    /// The server closed the connection before the whole response had arrived, or while more was being sent.
    case closed
    /// The server reset the connection.
    case reset
    /// Nothing happened for four minutes.
    case timedOut
    /// What arrived is not an HTTP/1.1 response that this client understands.
    case malformed(String)
    /// Another system call failed with that error number.
    case system(String, Int32)
}
