import HTTPMessages
import Testing

@testable import UnderstudyPages

@Suite struct AcceptedMediaTests {
    @Test(arguments: [
        "text/event-stream", "TEXT/Event-Stream", " text/event-stream ", "text/event-stream;charset=utf-8",
        "text/event-stream ; q=0.001", "text/event-stream;q=1.000", "text/event-stream, */*;q=0.999",
        "application/json;q=0.5,text/event-stream;q=0.6", "a/b;q=1.5, text/event-stream;q=0.1",
        "a/b;x=\",text/html\";q=0.1, text/event-stream;q=0.2", ",,text/event-stream,",
        "text/event-stream;q=0.1, text/event-stream;a=b;q=0.9, */*;q=0.5",
    ])
    func `the media type is preferred`(accept: String) {
        #expect(Headers([("Accept", accept)]).prefersMedia("text/event-stream"))
    }

    @Test(arguments: [
        "", "*/*", "text/*", "text/event-streams", "text/event-strea", "text/event-stream;q=0",
        "text/event-stream;q=0.000",
        "text/event-stream;q=2", "text/event-stream;q=", "text/event-stream;q=0.5555", "text/event-stream;q=0.5;q=1",
        "text/event-stream, */*", "text/event-stream;q=0.5, a/b;q=0.501", "\"text/event-stream\"",
        "x/y;a=\"text/event-stream, text/event-stream",
    ])
    func `the media type is not preferred`(accept: String) {
        #expect(!Headers([("Accept", accept)]).prefersMedia("text/event-stream"))
    }

    @Test func `several fields count as one`() {
        #expect(
            !Headers([("Accept", "text/event-stream"), ("Accept", "application/json")]).prefersMedia(
                "text/event-stream"
            )
        )
        #expect(
            Headers([("Accept", "text/event-stream"), ("Accept", "application/json;q=0.9")])
                .prefersMedia("text/event-stream")
        )
        #expect(!Headers().prefersMedia("text/event-stream"))
    }

    @Test func `a long field is read up to a limit`() {
        let long = String(repeating: "a/b;q=0.1,", count: 1000) + "text/event-stream"
        #expect(!Headers([("Accept", long)]).prefersMedia("text/event-stream"))
    }
}
