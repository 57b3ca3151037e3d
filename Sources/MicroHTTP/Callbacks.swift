import HTTPMessages
import CMicroHTTPD
import Glibc

// The functions that libmicrohttpd calls. They are in their own file, because a closure in top-level code would be isolated to the main
// actor, and end the process on an event loop's thread.

/// The loop pointer is an unowned `EventLoop`, which outlives its daemon. A connection's context is a `Connection`, which is owned from the call that
/// opens it to the call that closes it. A request's context is the same `Connection`, unowned.
func daemonCallbacks() -> CMicroHTTPD_Callbacks {
    CMicroHTTPD_Callbacks(
        accept: { loop, address, size in
            guard let loop else { return 0 }
            return Unmanaged<EventLoop>.fromOpaque(loop)._withUnsafeGuaranteedRef { $0.admits(address) ? 1 : 0 }
        },
        target: { loop, target, connection in
            guard let target, let connection, let context = CMicroHTTPD_connection_context(connection) else {
                return nil
            }
            Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.receivedTarget(target)
            }
            return context
        },
        handle: { loop, connection, url, method, version, data, size, context in
            guard let context = context?.pointee, let size, let url, let method, let version else { return 0 }
            let part = UnsafeRawBufferPointer(start: data, count: size.pointee)
            size.pointee = 0
            return Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.handle(url: url, method: method, version: version, part: part) ? 1 : 0
            }
        },
        completed: { loop, connection, context, code in
            guard let pointer = context?.pointee else { return }
            context?.pointee = nil
            Unmanaged<Connection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.requestCompleted() }
        },
        connection: { loop, connection, context, code in
            guard let loop, let connection, let context else { return }
            let owner = Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue()
            if code == 0 {
                let opened = Connection(handle: connection, loop: owner, permit: owner.acquirePermit())
                owner.add(opened)
                context.pointee = Unmanaged.passRetained(opened).toOpaque()
            } else if let pointer = context.pointee {
                context.pointee = nil
                let closed = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
                closed.closed()
                owner.remove(closed)
            }
        },
        log: { loop, format, arguments in
            guard let loop, let format, let arguments, let status = rejectionStatus(format, arguments) else { return }
            Unmanaged<EventLoop>.fromOpaque(loop)._withUnsafeGuaranteedRef { $0.libraryRejects(status: status) }
        },
        identity: { session, _, _, _, _, chain, count, key in
            guard let connection = CMicroHTTPD_connection_of_session(session),
                let context = CMicroHTTPD_connection_context(connection)
            else { return -1 }
            return Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef {
                guard let identity = $0.chooseIdentity() else { return -1 }
                CMicroHTTPD_show_identity(identity.handle, chain, count, key)
                return 0
            }
        }
    )
}

/// The context is the body's ``ResponseStream``, which the response owns.
func readStream(
    _ context: UnsafeMutableRawPointer?,
    _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context else { return Int(CMicroHTTPD_STREAM_END) }
    return Unmanaged<ResponseStream>.fromOpaque(context)._withUnsafeGuaranteedRef { stream in
        switch stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
        case .bytes(let count): return count
        case .end: return Int(CMicroHTTPD_STREAM_END)
        case .nothing:
            stream.suspendConnection()
            return 0
        }
    }
}

/// The context is the ``LargeBody``, which the response owns.
func readPart(
    _ context: UnsafeMutableRawPointer?,
    _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context else { return Int(CMicroHTTPD_STREAM_END) }
    return Unmanaged<LargeBody>.fromOpaque(context)._withUnsafeGuaranteedRef { body in
        let count = body.read(from: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        return count > 0 ? count : Int(CMicroHTTPD_STREAM_END)
    }
}

func releaseBody(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
}

/// `nil` if the message does not announce that libmicrohttpd is about to send a response by itself.
///
/// libmicrohttpd announces each such response, and no other event, with this message. If a client disconnects, it logs another message or
/// nothing.
private func rejectionStatus(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) -> Int? {
    let announcement = "Error processing request (HTTP response code is "
    guard strncmp(format, announcement, announcement.utf8.count) == 0 else { return nil }
    var text = [CChar](repeating: 0, count: announcement.utf8.count + 4)
    guard vsnprintf(&text, text.count, format, arguments) >= text.count else { return nil }
    return Int(String(decoding: text.suffix(4).prefix(3).map(UInt8.init(bitPattern:)), as: UTF8.self))
}
