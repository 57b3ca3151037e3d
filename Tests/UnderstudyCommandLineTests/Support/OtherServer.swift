import Dispatch

/// A server on a free port of this machine that is not Understudy.
final class OtherServer: Sendable {
    let socket: ListeningSocket
    var port: UInt16 { socket.port }

    /// - Parameter answer: what the first client gets before the connection is closed. If it is `nil`, the client gets nothing, and
    ///   the connection stays open.
    init(responding answer: String?) throws {
        socket = try ListeningSocket()
        guard let answer else { return }
        DispatchQueue(label: "OtherServer").async { [socket] in
            let connection = accept(socket.descriptor, nil, nil)
            // Closing a connection with unread bytes would reset it.
            var buffer = [UInt8](repeating: 0, count: 1024)
            recv(connection, &buffer, buffer.count, 0)
            let bytes = answer.bytes
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }

    deinit {
        // Ends an accept() that still waits.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }
}

extension ListeningSocket {
    /// The socket, to pass to a process.
    var handle: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }
}
