import Glibc

/// A thread that ends when its body does, and for which no other thread waits.
package enum DetachedThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread, whose name has at most 15 bytes. Returns why the system cannot start it; `nil` if it runs.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> String? {
        let context = Unmanaged.passRetained(
            Body {
                setName(name)
                body()
            }
        )
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            nil,
            { context in
                context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue() }?.run()
                return nil
            },
            context.toOpaque()
        )
        guard failure == 0 else {
            context.release()
            return String(cString: strerror(failure))
        }
        pthread_detach(thread)
        return nil
    }

    /// Names the calling thread, for `ps` and `top`. Glibc has a function only for programs that ask for its extensions.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, name, name.utf8.count)
        close(file)
    }
}
