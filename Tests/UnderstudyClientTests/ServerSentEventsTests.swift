import TestSupport

@testable import UnderstudyClient

@Suite struct ServerSentEventsTests {
    private typealias Event = ServerSentEvents.Event

    private let text =
        "event: command\nid: 1\ndata: {\"a\":1}\n\n:\n\n: comment\nevent:answer\r\nretry: 1500\r\ndata:b\r\n\r\n"
    private let events = [
        ServerSentEvents.Event(name: "command", id: "1", data: Array("{\"a\":1}".utf8)),
        ServerSentEvents.Event(name: "answer", retry: 1500, data: Array("b".utf8)),
    ]

    @Test func `an event is complete only after its empty line, wherever the parts end`() {
        for size in 1...text.utf8.count {
            var reader = ServerSentEvents()
            var (rest, read) = (Array(text.utf8)[...], [Event]())
            while !rest.isEmpty {
                read += reader.read(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(read == events)
        }
        var reader = ServerSentEvents()
        #expect(reader.read(Array("data: a\n".utf8)).isEmpty)
        #expect(reader.read([UInt8(ascii: "\n")]) == [Event(data: Array("a".utf8))])
    }

    @Test func `unknown and malformed fields are ignored, and an event without data as well`() {
        var reader = ServerSentEvents()
        #expect(
            reader.read(Array("event: a\nid: 1\n\nfoo: b\nbar\nretry: x\ndata\ndata:  c\n\n".utf8)) == [
                Event(data: Array("\n c".utf8))
            ]
        )
    }
}
