import InMemoryTracing
import Tracing

@testable import Understudy

struct TracingTests {
    /// Renders the trace in which its collaborator was called, or fails with what the client has sent.
    struct TracedPage: Script {
        struct Failure: Error { let name: String }

        static let name = Field<String>("name")
        static let trace = Output<String>("trace")
        static let events: Events = [
            .default("ask", gives: [.renders(trace)]) { controller in
                let found = try await controller.results.from("guide") {
                    ServiceContext.current?.inMemorySpanContext?.traceID ?? ""
                }
                controller.render(trace, found)
            },
            .event("fail", reads: name) { throw Failure(name: $1) },
        ]

        let results: PageContext.Results
    }

    let tracer = InMemoryTracer()
    let capture = LogCapture()

    /// Sends an event as a server does.
    func post(_ event: String, traced: Bool = true) async -> Answer {
        let page = Page("traced") { Scripted(TracedPage(results: $0.results)) }
        let service = UnderstudyService(pages: [page], logger: capture.logger) { if traced { $0.tracer = tracer } }
        var answer = Answer(Response(status: 500))
        await RequestTrace.bind { trace in
            let headers: Headers = ["In-Memory-Trace-ID": "elsewhere", "In-Memory-Span-ID": "parent"]
            let body = #"{"event":"\#(event)"\#(event == "fail" ? #","values":{"name":"canary"}"# : "")}"#
            let request = Request.json("/traced", body, headers)
            trace.begin(request)
            answer = await service.send(request)
        }
        return answer
    }

    @Test func `the spans of an event are nested in the client's trace`() async {
        #expect(await post("ask").text.contains(#""value":"elsewhere""#))
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["guide", "traced ask", "POST /traced"])
        #expect(spans.map(\.kind) == [.internal, .internal, .server])
        #expect(spans.map(\.traceID) == ["elsewhere", "elsewhere", "elsewhere"])
        #expect(spans.map(\.parentSpanID) == [spans[1].spanID, spans[2].spanID, "parent"])
        #expect(spans[2].attributes.get("http.response.status_code") == .int64(200))
        #expect(spans[2].attributes.get("understudy.event") == .string("ask"))
    }

    @Test func `the spans of a failed event say so, without the client's values`() async {
        expect(await post("fail"), 500)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["traced fail", "POST /traced"])
        #expect(spans.map(\.status?.code) == [.error, .error])
        #expect(!spans.contains { "\($0)".contains("canary") })
    }

    @Test func `without a tracer, a collaborator runs in no span`() async {
        #expect(await post("ask", traced: false).text.contains(#""value":"""#))
        #expect(tracer.finishedSpans.isEmpty)
    }

    @Test func `lines of a request name it with its page and event`() async {
        let provider = Logger.MetadataProvider.request
        #expect(provider.get() == [:])
        await RequestTrace.bind { trace in
            trace.begin(Request(.post, "/login?canary", id: "a"))
            #expect(provider.get() == ["request": "a", "path": "/login"])
            trace.request.page = "login"
            trace.request.event = "loginButtonPressed"
            #expect(provider.get() == ["request": "a", "page": "login", "event": "loginButtonPressed"])
            #expect(await Task { provider.get() }.value == [:])
            async let child = provider.get()
            #expect(await child == [:])
        }
    }

    @Test func `the developer's tools of a browser show what a request waited for`() async throws {
        let service = UnderstudyService(pages: [CountingController.page]) { $0.isDevelopment = true }
        let header = try await service.get("/counter").header("Server-Timing")
        #expect(header?.wholeMatch(of: /total;dur=[0-9.]+/) != nil)
        #expect(try await UnderstudyService(pages: []).get("/").header("Server-Timing") == nil)
    }

    @Test func `an event that waits for its session, and one that hashes, report how long`() async throws {
        await RequestTrace.bind { trace in
            trace.begin(Request(.get, "/"))
            try? await RequestTrace.measure(.session, "wait") {}
            #expect(trace.durations[.session] > 0)
            #expect(trace.durations[.hash] == 0)
            let timing = RequestRecord(trace: trace).serverTiming.value
            #expect(timing.wholeMatch(of: /wait;dur=[0-9.]+, total;dur=[0-9.]+/) != nil)
            trace.begin(Request(.get, "/"))
            #expect(trace.durations[.session] == 0)
        }
    }
}
