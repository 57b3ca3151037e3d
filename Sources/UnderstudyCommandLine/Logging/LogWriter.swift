import Dispatch
import Glibc
import Logging
import Synchronization
import ThreadExecutors

/// Writes log lines to a file descriptor. Event loops do not wait for it.
///
/// The lines of the access log are collected in one buffer for each event loop. A thread writes the buffers out 100 milliseconds after the
/// first line, or as soon as one contains 64 KiB. Other lines are written at once, or by the thread if the descriptor is not ready.
final class LogWriter: Sendable {
    private enum Schedule: UInt8, AtomicRepresentable {
        case never, soon, now
    }

    /// The lines of one event loop, or those that could not be written at once. An object, because a mutex cannot be the element of an array.
    private final class Buffer: Sendable {
        let lines: Mutex<LogLines>

        init(_ format: LogFormat) {
            lines = Mutex(LogLines(format))
        }
    }

    let style: LogStyle
    private let levelIndex: Atomic<Int>
    private let recentErrors = Mutex<[String]>([])
    private let descriptor: Int32
    /// Whether the descriptor is that of a file, which is always ready.
    private let isFile: Bool
    /// The first one has the lines that could not be written at once, and each other those of an event loop.
    private let buffers: [Buffer]
    /// The bytes above which a buffer is full.
    private let limit: Int
    /// Locked while a thread writes to the descriptor.
    private let output = Mutex(())
    private let schedule = Atomic(Schedule.never)
    private let isClosing = Atomic(false)
    private let lostLines = Atomic(0)
    private let writtenBytes = Atomic(0)
    private let wakeup = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// How long the thread waits for further lines.
    private static let interval = DispatchTimeInterval.milliseconds(100)
    /// The bytes in a buffer that the thread writes without waiting for further lines.
    private static let batch = 64 << 10
    /// The maximum number of errors that are kept, and of characters of each.
    private static let (maximumErrors, maximumErrorLength) = (10, 1000)
    /// If a pipe or a terminal is ready, it accepts at least so many bytes (`PIPE_BUF`).
    private static let atomicWrite = 4096

    /// Starts the thread, which runs until ``close()``. The descriptor may be that of a pipe, whose reader may be slow. There is at least one
    /// buffer. All buffers together take at most `capacity` bytes, including those that are being written. Further lines are lost, and
    /// counted.
    init(_ descriptor: Int32, style: LogStyle, level: Logger.Level = .info, buffers: Int, capacity: Int = 8 << 20) {
        self.descriptor = descriptor
        self.style = style
        levelIndex = Atomic(Self.index(of: level))
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        self.buffers = (0...max(1, buffers)).map { _ in Buffer(style.format) }
        limit = capacity / 2 / self.buffers.count
        // Only when the program starts.
        if let failure = DetachedThread.start("log", { self.run() }) {
            preconditionFailure("no thread for the log: \(failure)")
        }
    }

    var lost: Int { lostLines.load(ordering: .relaxed) }

    /// The lowest level that is logged. It can change while the server runs.
    var level: Logger.Level {
        get { Logger.Level.allCases[levelIndex.load(ordering: .relaxed)] }
        set { levelIndex.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }

    /// The last errors in the log, for operators, the oldest first.
    var errors: [String] { recentErrors.withLock { $0 } }

    // MARK: From any thread

    /// Keeps an error, in place of the oldest one if there are ten.
    func keep(error line: String) {
        recentErrors.withLock { errors in
            errors = errors.suffix(Self.maximumErrors - 1) + [String(line.prefix(Self.maximumErrorLength))]
        }
    }

    /// Adds a line of the access log to the buffer of an event loop. `add` adds one whole line.
    func append(to index: Int, _ add: (inout LogLines) -> Void) {
        append(toBuffer: 1 + index % (buffers.count - 1), add)
    }

    private func append(toBuffer index: Int, _ add: (inout LogLines) -> Void) {
        let size = buffers[index].lines.withLock { lines -> Int in
            if lines.bytes.count >= limit {
                lostLines.add(1, ordering: .relaxed)
            } else {
                add(&lines)
            }
            return lines.bytes.count
        }
        wake(size >= Self.batch ? .now : .soon)
    }

    /// Writes a line before it returns, unless the descriptor is not ready for it. In this case, the thread writes it.
    func write(_ line: borrowing LogLines) {
        let bytes = line.bytes.bytes
        let isWritten = output.withLockIfAvailable { _ in
            guard buffers[0].lines.withLock({ $0.bytes.count == 0 }), isReady(for: bytes.count) else { return false }
            lostLines.add(writeAll(bytes), ordering: .relaxed)
            return true
        }
        if isWritten != true { append(toBuffer: 0) { $0.bytes.append(bytes) } }
    }

    /// Writes all lines, and ends the thread. Gives up if the descriptor accepts nothing for five seconds.
    func close() {
        isClosing.store(true, ordering: .releasing)
        schedule.store(.now, ordering: .releasing)
        wakeup.signal()
        var written: Int
        repeat {
            written = writtenBytes.load(ordering: .relaxed)
            if ended.wait(timeout: .now() + .seconds(5)) == .success { return }
        } while writtenBytes.load(ordering: .relaxed) > written
    }

    private func wake(_ request: Schedule) {
        let current = schedule.load(ordering: .acquiring)
        guard current != request, current != .now else { return }
        if schedule.exchange(request, ordering: .acquiringAndReleasing) != request { wakeup.signal() }
    }

    // MARK: On the thread

    private func run() {
        var spare = ByteBuffer()
        var reported = 0
        while true {
            // If the count of lost lines has not been reported, it is reported after a second.
            _ = wakeup.wait(timeout: lost > reported ? .now() + .seconds(1) : .distantFuture)
            if schedule.load(ordering: .acquiring) == .soon { _ = wakeup.wait(timeout: .now() + Self.interval) }
            let isLast = isClosing.load(ordering: .acquiring)
            // Before the buffers are read: whatever is added later wakes the thread again.
            schedule.store(.never, ordering: .sequentiallyConsistent)
            writeBuffers(&spare)
            reportLost(since: &reported)
            if isLast { break }
        }
        ended.signal()
    }

    private func writeBuffers(_ spare: inout ByteBuffer) {
        output.withLock { _ in
            for buffer in buffers {
                buffer.lines.withLock { swap(&$0.bytes, &spare) }
                lostLines.add(writeAll(spare.bytes), ordering: .relaxed)
                // The memory of a buffer that has grown far beyond a batch is not kept.
                spare.removeAll(freeingAbove: 4 * Self.batch)
            }
        }
    }

    private func reportLost(since reported: inout Int) {
        let lost = lost
        guard lost > reported else { return }
        var warning = LogLines(style.format)
        let message = "Log lines were lost, because they could not be written fast enough"
        warning.begin(LogHead(.warning, label: "understudy", message: message, style))
        warning.add("lines", .stringConvertible(lost - reported))
        warning.end()
        if output.withLock({ _ in writeAll(warning.bytes.bytes) }) == 0 { reported = lost }
    }

    // MARK: With the output locked

    private func isReady(for count: Int) -> Bool {
        if isFile { return true }
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return count <= Self.atomicWrite && poll(&state, 1, 0) == 1 && state.revents & Int16(POLLOUT) != 0
    }

    /// Writes lines, however long that takes. Returns the number of lines that cannot be written.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: rest.startIndex), rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
                writtenBytes.add(count, ordering: .relaxed)
            } else if errno == EAGAIN {
                // The descriptor may be shared with a program that has made it non-blocking.
                var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&state, 1, -1)
            } else if errno != EINTR {
                return rest.count { $0 == UInt8(ascii: "\n") }
            }
        }
        return 0
    }
}
