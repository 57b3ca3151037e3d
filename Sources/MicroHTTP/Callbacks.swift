internal import CMicroHTTPD

// What libmicrohttpd calls. Plain functions in a file of their own: a closure in top-level code would be isolated to
// the main actor, and trap on an event loop's thread.

/// The callbacks of a daemon. The loop pointer is an unowned `EventLoop`, which outlives its daemon. A connection's
/// context is a `Connection` that is owned from the call that opens it to the one that closes it; a request's context
/// is the same one, unowned.
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
                $0.receivedTarget(String(cString: target))
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
                let opened = Connection(handle: connection, loop: owner, place: owner.takePlace())
                owner.add(opened)
                context.pointee = Unmanaged.passRetained(opened).toOpaque()
            } else if let pointer = context.pointee {
                context.pointee = nil
                let closed = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
                closed.closed()
                owner.remove(closed)
            }
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
