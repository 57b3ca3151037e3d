import BusinessLogic
import Dispatch
import Glibc
import HTTPMessages
import HTTPTestClient
import Prometheus
import Synchronization
import TestSupport
import Testing
import UnderstudyReplay

@testable import Understudy
@testable import UnderstudyCommandLine

/// A service whose events another version runs, which is a double.
@Suite(.timeLimit(.minutes(5))) struct ShadowTests {
    private let metrics = PrometheusRegistry(help: ShadowReport.descriptions)
    private let log = LogCapture()
    private let control: StepControl

    init() throws {
        control = try StepControl()
    }

    private func shadow(
        fraction: Double = 1,
        _ respond: @escaping @Sendable (Value.Object) throws(StepFailure) -> Value.Object
    ) -> Shadow {
        Shadow(
            pages: [CountingController.page],
            fraction: fraction,
            report: ShadowReport(factory: metrics, logger: log.logger),
            control: control,
            firstPause: .milliseconds(10),
            longestRest: .zero
        ) {
            ProgramDouble(respond)
        }
    }

    private func service(_ shadow: Shadow) -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.eventObserver = shadow
        return UnderstudyService(pages: [CountingController.page], configuration: configuration)
    }

    /// Sends an event in a new session, as soon as the other version has started.
    private func send(_ event: String = "count", to service: UnderstudyService, _ shadow: Shadow) async throws {
        let request = Request(
            .post,
            "/counter",
            headers: Headers([("Content-Type", "application/json")]),
            body: Array(#"{"event":"\#(event)"}"#.utf8)
        )
        // One that was dropped, because the thread used the queue, is sent again.
        var dropped = -1
        while dropped != count("dropped") {
            #expect(try await eventually { shadow.isReady })
            dropped = count("dropped")
            #expect(await service.respond(to: request).status == 200)
        }
    }

    private func count(_ result: String) -> Int {
        let prefix = "understudy_shadow_events_total{result=\"\(result)\"} "
        let line = metrics.exposition().split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Int($0.dropFirst(prefix.count)) } ?? -1
    }

    @Test func `events of an equal version match, and nothing is logged`() async throws {
        let shadow = shadow { StepDouble.run($0) }
        let service = service(shadow)
        shadow.start()
        defer { shadow.stop() }
        for _ in 0..<3 { try await send(to: service, shadow) }
        #expect(try await eventually { count("matched") == 3 })
        #expect(log.texts == [])
        #expect(!metrics.exposition().contains("understudy_shadow_differences_total"))
    }

    @Test func `each mismatch is counted in its group, and the first of a group is logged without values`() async throws
    {
        let shadow = shadow { request throws(StepFailure) in
            var output = StepDouble.run(request)
            if request["event"] == "count" {
                output["commands"] = [
                    ["command": "render", "key": "counting", "value": 4711],
                    ["command": "render", "key": "counted", "value": 1],
                ]
            } else {
                output["commands"] = []
            }
            return output
        }
        let service = service(shadow)
        shadow.start()
        defer { shadow.stop() }
        for event in ["count", "chatter", "count"] { try await send(event, to: service, shadow) }
        #expect(try await eventually { count("mismatched") == 3 })
        #expect(
            log.texts == [
                "The other version responds in another way: cause=command: render counting, other value "
                    + "event=count group=1 page=counter",
                "The other version responds in another way: cause=command: render number, now no command "
                    + "event=chatter group=2 page=counter",
            ]
        )
        let text = metrics.exposition()
        #expect(text.contains(#"understudy_shadow_differences_total{page="counter",event="count",group="1"} 2"#))
        #expect(text.contains(#"understudy_shadow_differences_total{page="counter",event="chatter",group="2"} 1"#))
    }

    @Test func `a divergence and a missing result are counted and logged`() async throws {
        let calls = Atomic(0)
        let shadow = shadow { request throws(StepFailure) in
            var output = StepDouble.run(request)
            if calls.add(1, ordering: .relaxed).oldValue == 0 {
                output["state"] = request["state"]
            } else {
                output["missing"] = "advice"
            }
            return output
        }
        let service = service(shadow)
        shadow.start()
        defer { shadow.stop() }
        for _ in 0..<2 { try await send(to: service, shadow) }
        #expect(try await eventually { count("missing") == 1 })
        #expect(count("diverged") == 1)
        #expect(
            log.texts == [
                "The other version stores another state: cause=state of page counter event=count group=1 page=counter",
                "The other version needs another result: cause=no result of 'advice' event=count group=2 page=counter",
            ]
        )
    }

    @Test(arguments: [
        (StepFailure.timeout, "timeout", "The other version has not responded in time: cause=timeout"),
        (
            StepFailure.ended(reason: "it ended with signal 4"), "failed",
            "The other version has failed at an event: cause=it ended with signal 4"
        ),
    ])
    func `after a failure, the other version starts again, and the next event is compared`(
        failure: StepFailure,
        result: String,
        line: String
    ) async throws {
        let calls = Atomic(0)
        let shadow = shadow { request throws(StepFailure) in
            if calls.add(1, ordering: .relaxed).oldValue == 0 { throw failure }
            return StepDouble.run(request)
        }
        let service = service(shadow)
        shadow.start()
        defer { shadow.stop() }
        try await send(to: service, shadow)
        #expect(try await eventually { count(result) == 1 && log.texts.count == 2 })
        #expect(log.texts.first?.hasPrefix(line) == true)
        #expect(log.texts.last?.hasPrefix("The other version is started again after a pause: reason=") == true)
        try await send(to: service, shadow)
        #expect(try await eventually { count("matched") == 1 })
    }

    @Test func `while the other version does not respond, events wait, and those beyond the limit are dropped`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let shadow = shadow { request throws(StepFailure) in
            gate.wait()
            gate.signal()
            return StepDouble.run(request)
        }
        let service = service(shadow)
        shadow.start()
        defer {
            gate.signal()
            shadow.stop()
        }
        for _ in 0..<ShadowQueue.maximumCount { try await send(to: service, shadow) }
        #expect(!shadow.isReady)
        let dropped = count("dropped")
        for _ in 0..<3 { #expect(await service.respond(to: Request(.post, "/counter")).status == 200) }
        #expect(count("dropped") == dropped + 3)
        #expect(count("matched") == 0)
        gate.signal()
        #expect(try await eventually { count("matched") == ShadowQueue.maximumCount })
    }

    @Test func `before the other version has started, events are dropped`() async throws {
        let shadow = shadow { StepDouble.run($0) }
        let service = service(shadow)
        #expect(await service.respond(to: Request(.post, "/counter")).status == 200)
        #expect(count("dropped") == 1)
        #expect(count("matched") == 0)
    }

    @Test func `the sample contains its share of the events`() throws {
        let shadow = shadow(fraction: 0.01) { StepDouble.run($0) }
        // Ten events in each session of the sample. No other version runs, so that those in the sample are dropped.
        for _ in 0..<10_000 where shadow.samplesSession() {
            for _ in 0..<10 { #expect(!shadow.samplesEvent()) }
        }
        #expect((700...1300).contains(count("dropped")))
    }

    @Test func `after too many groups, a further one has no number and no line in the log`() async throws {
        let calls = Atomic(0)
        let shadow = shadow { request throws(StepFailure) in
            let number = calls.add(1, ordering: .relaxed).newValue
            return [
                "state": request["state"] ?? .null,
                "commands": [["command": "render", "key": .string("key\(number)"), "value": 1]],
            ]
        }
        let service = service(shadow)
        shadow.start()
        defer { shadow.stop() }
        for _ in 0..<ShadowReport.maximumGroups + 2 { try await send(to: service, shadow) }
        #expect(try await eventually { count("mismatched") == ShadowReport.maximumGroups + 2 })
        #expect(log.texts.count == ShadowReport.maximumGroups)
        #expect(metrics.exposition().contains(#"{page="counter",event="count",group="other"} 2"#))
    }
}

/// Another version that a closure replaces.
private final class ProgramDouble: ShadowProgram {
    private let respond: @Sendable (Value.Object) throws(StepFailure) -> Value.Object

    init(_ respond: @escaping @Sendable (Value.Object) throws(StepFailure) -> Value.Object) {
        self.respond = respond
    }

    func start() {}

    func respond(to line: [UInt8]) throws(StepFailure) -> [UInt8] {
        guard let request = try? JSONReader.read(line).object else { throw .ended(reason: "no JSON") }
        return Array(Value.object(try respond(request)).json.dropLast())
    }

    func stop() {}
}

/// Runs steps of the page, and blocks the thread of the shadow meanwhile.
private enum StepDouble {
    static func run(_ request: Value.Object) -> Value.Object {
        let output = LockedValue<Value.Object>([:])
        let semaphore = DispatchSemaphore(value: 0)
        Task {
            output.value = await ApplicationStep([CountingController.page]).answer(request)
            semaphore.signal()
        }
        semaphore.wait()
        return output.value
    }
}
