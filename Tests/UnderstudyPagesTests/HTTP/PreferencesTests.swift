struct PreferencesTests {
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

    @Test(arguments: [
        (["text/event-stream", "application/json"], false), (["text/event-stream", "application/json;q=0.9"], true),
        ([], false),
    ])
    func `several fields count as one`(accept: [String], isPreferred: Bool) {
        #expect(Headers(accept.map { ("Accept", $0) }).prefersMedia("text/event-stream") == isPreferred)
    }

    @Test func `a long field is read up to a limit`() {
        let long = "a/b;q=0.1,".repeated(1000) + "text/event-stream"
        #expect(!Headers([("Accept", long)]).prefersMedia("text/event-stream"))
    }

    @Test(arguments: [
        "gzip", "GZip", "x-gzip", " gzip\t", "deflate, gzip;q=0.001", "*", "*;q=0.1", "br, *", "gzip, identity",
        "gzip;q=0.5, identity;q=0.5", "identity;q=0, gzip", "gzip;q=0, gzip;q=0.1", "gzip, *;q=0",
    ])
    func `gzip is accepted`(encodings: String) { #expect(Headers([("Accept-Encoding", encodings)]).acceptsGzip) }

    @Test(arguments: [
        "", " ,", "identity", "br, deflate", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "gzip;q=0, x-gzip;q=0",
        "identity;q=0", "gzip;q=0.5, identity", "*;q=0.5, identity;q=0.6", "gzip;q=2", "gzip;q=x", "gzipped", "zip",
        "\"gzip\"",
    ])
    func `gzip is not accepted, or content without a coding is preferred`(encodings: String) {
        #expect(!Headers([("Accept-Encoding", encodings)]).acceptsGzip)
    }

    @Test func `without Accept-Encoding, gzip is not accepted, and several fields count as one`() {
        #expect(!Headers([("Accept", "gzip")]).acceptsGzip)
        #expect(Headers([("Accept-Encoding", "br"), ("Accept-Encoding", "gzip")]).acceptsGzip)
        #expect(!Headers([("Accept-Encoding", "gzip;q=0.5"), ("Accept-Encoding", "identity")]).acceptsGzip)
    }
}
