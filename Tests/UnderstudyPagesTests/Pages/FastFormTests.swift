import TestSupport
import Testing

@testable import UnderstudyPages

@Suite struct FastFormTests {
    private let page = Page("form", TickedForm())

    @Test(
        arguments: [
            ("a=1", "first", ["a": "1"]), ("b=&a=x+y", "first", ["b": "", "a": "x y"]),
            ("a=%C3%A9%20%2B", "first", ["a": "é +"]), ("a=é", "first", ["a": "é"]), ("a=1=2", "first", ["a": "1=2"]),
            ("a=1&", "first", ["a": "1"]), ("event=second", "second", ["ticked": false]),
            ("a=1&event=second&b=2", "second", ["a": "1", "b": "2", "ticked": false]),
        ] as [(String, Event, Value.Object)]
    )
    func `the fast path reads the forms that most clients send`(body: String, event: Event, values: Value.Object) throws
    {
        let form = try #require(FastForm(Array(body.utf8), to: page))
        #expect(page.events[form.index].event == event)
        #expect(form.values == values)
    }

    @Test(arguments: [
        // Valid, but not for the fast path.
        "", "&a=1", "a=1&&b=2", "%61=1", "n=1", "event=fir%73t", " a=1", "ticked=on",
        // Invalid.
        "{}", "[]", "a", "a=1&a=2", "a=%", "a=%4", "a=%GG", "a=%FF", "a+=1", "x=1", "event=third",
        "event=first&event=first",
        "a=12345678901234567", "a=%00", "a=\0",
    ])
    func `the fast path leaves all other forms to the reader`(body: String) {
        #expect(FastForm(Array(body.utf8), to: page) == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `the fast path and the reader agree`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var fastCount = 0
        for _ in 1...2000 {
            let body = body(&random)
            guard let fast = FastForm(body, to: page) else { continue }
            fastCount += 1
            let headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
            let submission = try Submission(headers: headers, body: body)
            let index = try page.index(of: submission.event)
            let (values, faults) = try page.accept(submission, for: page.events[index])
            #expect(index == fast.index)
            #expect(faults.isEmpty)
            #expect(values == fast.values)
            #expect(values.map(\.name) == fast.values.map(\.name))
        }
        #expect(fastCount > 100)
    }

    /// A random text of pieces of forms, most of them in valid positions.
    private func body(_ random: inout RandomJSON) -> [UInt8] {
        var fields: [String] = []
        for _ in 0..<random.number(0...3) {
            let name = random.element(of: ["a", "a", "b", "b", "n", "ticked", "x", "event", ""], or: "")
            let value = random.element(
                of: ["", "1", "first", "second", "a+b", "%41", "%C3%A9", "é", "%", "1=2"],
                or: ""
            )
            fields.append("\(name)=\(value)")
        }
        var bytes = Array(fields.joined(separator: "&").utf8)
        if random.number(0...4) == 0, !bytes.isEmpty { bytes.remove(at: random.number(0...bytes.count - 1)) }
        if random.number(0...4) == 0, !bytes.isEmpty {
            bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
        }
        return bytes
    }
}

/// Reads two texts, a number and a check box.
private struct TickedForm: Script {
    static let a = Field<String?>("a", maximumLength: 16)

    static let events: EventTable<Scripted<TickedForm>> = [
        .default("first", reads: a, Field<String?>("b"), Field<Double?>("n")) { _, _, _, _ in },
        .event("second", reads: a, Field<Bool>("ticked").whenAbsent(false)) { _, _, _ in },
    ]
}
