@testable import UnderstudyClient

struct ServerSentEventsTests {
    typealias Event = ServerSentEvents.Event

    let text =
        "event: command\nid: 1\ndata: {\"a\":1}\n\n:\n\n: comment\nevent:answer\r\nretry: 1500\r\ndata:b\r\n\r\n"
    let events = [
        ServerSentEvents.Event(name: "command", id: "1", data: "{\"a\":1}".bytes),
        ServerSentEvents.Event(name: "answer", retry: 1500, data: "b".bytes),
    ]

    @Test func `an event is complete only after its empty line, wherever the parts end`() {
        for size in 1...text.utf8.count {
            var reader = ServerSentEvents()
            var (rest, read) = (text.bytes[...], [Event]())
            while !rest.isEmpty {
                read += reader.read(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(read == events)
        }
        var reader = ServerSentEvents()
        #expect(reader.read("data: a\n".bytes).isEmpty)
        #expect(reader.read([UInt8(ascii: "\n")]) == [Event(data: "a".bytes)])
    }

    @Test func `unknown and malformed fields are ignored, and an event without data as well`() {
        var reader = ServerSentEvents()
        #expect(
            reader.read("event: a\nid: 1\n\nfoo: b\nbar\nretry: x\ndata\ndata:  c\n\n".bytes) == [
                Event(data: "\n c".bytes)
            ]
        )
    }
}
