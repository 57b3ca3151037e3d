import BusinessLogic
import Foundation
import Glibc
import Synchronization
import Understudy
import UnderstudyReplay

/// Runs a sample of the events of a server in another version of the program, after their responses, and compares what they give.
///
/// One thread of the lowest priority encodes the events, sends them to the other version and compares. An event loop only copies values, and
/// only for an event of the sample for which the queue has room. So the thread's own pace limits what the sample costs.
final class Shadow: EventObserver {
    /// The lowest priority.
    private static let niceness: Int32 = 19
    /// The pauses after failures: the first one, and the longest one.
    private static let pauses: (first: Duration, longest: Duration) = (.seconds(1), .seconds(60))

    /// The rests after events: the shortest one, and the longest one. Between them, a rest is a hundred times as long as the event took.
    /// So the comparison takes about one per cent of a processor, and less on a busy machine, where each event takes longer.
    private static let rests: (shortest: Duration, longest: Duration) = (.milliseconds(20), .seconds(1))

    private let comparison: EventComparison
    private let report: ShadowReport
    private let queue = ShadowQueue()
    private let control: StepControl
    /// A session is in the sample, and an event of such a session, if a random number of 64 bits is at most this one.
    private let threshold: UInt64
    private let number = Atomic<UInt64>(.random(in: 0 ... .max))
    private let makeProgram: @Sendable () -> any ShadowProgram
    private let firstPause: Duration
    private let longestRest: Duration

    /// - Parameters:
    ///   - pages: the pages of the server.
    ///   - fraction: the share of events in the sample, from 0 to 1.
    ///   - firstPause: the pause after the first failure. It doubles with each failure that follows soon.
    ///   - longestRest: the longest rest after an event.
    ///   - makeProgram: creates the other version. `control` stops it.
    init(
        pages: [Page],
        fraction: Double,
        report: ShadowReport,
        control: StepControl,
        firstPause: Duration = Shadow.pauses.first,
        longestRest: Duration = Shadow.rests.longest,
        makeProgram: @escaping @Sendable () -> any ShadowProgram
    ) {
        comparison = EventComparison(pages)
        self.report = report
        self.control = control
        // Of the sessions and of their events, so that most sessions do not store the results of their collaborators.
        threshold = fraction < 1 ? UInt64(max(0, fraction).squareRoot() * 0x1p64) : .max
        self.firstPause = firstPause
        self.longestRest = longestRest
        self.makeProgram = makeProgram
    }

    // MARK: On event loops

    /// Whether the other version runs, and another event can wait for it.
    var isReady: Bool { queue.hasRoom }

    func samplesSession() -> Bool { isInSample() }

    func samplesEvent() -> Bool {
        guard isInSample() else { return false }
        guard isReady else {
            report.drop(1)
            return false
        }
        return true
    }

    private func isInSample() -> Bool {
        guard threshold < .max else { return true }
        // A number of a sequence, mixed: consecutive events of a client would be in the sample in turn otherwise.
        var mixed = number.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).oldValue
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31) <= threshold
    }

    func observe(_ event: ObservedEvent) {
        if !queue.add(event) { report.drop(1) }
    }

    // MARK: The thread

    /// Starts the thread.
    func start() {
        Thread.detachNewThread { [self] in
            Thread.current.name = "shadow"
            // On Linux, of this thread only. The other version inherits it.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            run()
        }
    }

    /// Ends the other version now, and the thread soon.
    func stop() {
        queue.close()
        control.stop()
    }

    private func run() {
        let program = makeProgram()
        defer { program.stop() }
        var pause = firstPause
        while true {
            let started = ContinuousClock.now
            let failure = serve(program)
            program.stop()
            guard failure != .stopped else { return }
            report.drop(queue.pause())
            // One that has worked for longer than the longest pause starts soon.
            if ContinuousClock.now - started > Self.pauses.longest { pause = firstPause }
            report.report(failure, pause: pause)
            guard control.wait(until: .now + pause) == .timeout else { return }
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    /// Starts the other version, and sends it events until it fails.
    private func serve(_ program: any ShadowProgram) -> StepFailure {
        do throws(StepFailure) {
            try program.start()
        } catch {
            return error
        }
        queue.resume()
        while let events = queue.next() {
            var failure: StepFailure?
            for event in events {
                let started = ContinuousClock.now
                if failure == nil { failure = run(event, in: program) } else { report.drop(1) }
                queue.finish(event)
                let ended = ContinuousClock.now
                let rest = min(max((ended - started) * 100, Self.rests.shortest), longestRest)
                if failure == nil, control.wait(until: ended + rest) == .stopped { return .stopped }
            }
            if let failure { return failure }
        }
        return .stopped
    }

    /// Runs an event, and reports the result or the failure, which it returns.
    private func run(_ event: ObservedEvent, in program: any ShadowProgram) -> StepFailure? {
        do throws(StepFailure) {
            try compare(event, in: program)
            return nil
        } catch {
            report.report(error, of: event)
            return error
        }
    }

    private func compare(_ event: ObservedEvent, in program: any ShadowProgram) throws(StepFailure) {
        guard let request = try? comparison.request(for: event) else {
            // It cannot be saved either.
            return report.drop(1)
        }
        let line = try program.respond(to: Value.object(request).json)
        guard let output = try? JSONReader.read(line).object else {
            throw .ended(reason: "it prints a line that is not a JSON object")
        }
        guard let result = try? comparison.result(of: event, output) else { return report.drop(1) }
        report.report(result, of: event)
    }
}
