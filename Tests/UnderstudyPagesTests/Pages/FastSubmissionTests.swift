import TestSupport
import Testing

@testable import UnderstudyPages

@Suite struct PlainSubmissionTests {
    private let page = Page("plain", PlainPage())

    @Test(
        arguments: [
            ("{}", "first", [:]), (#"{"a":"1"}"#, "first", ["a": "1"]),
            (#"{"b":"","a":"x y"}"#, "first", ["b": "", "a": "x y"]),
            (#"{"event":"second"}"#, "second", [:]), (#"{"values":{}}"#, "first", [:]),
            (#"{"event":"second","values":{"a":"1","b":"2"}}"#, "second", ["a": "1", "b": "2"]),
            (#"{"values":{"a":"1"},"event":"first"}"#, "first", ["a": "1"]),
            (" {\t\"values\" : { \"a\"\r\n:\"\u{7F}\" , \"b\":\"~\" } }\n", "first", ["a": "\u{7F}", "b": "~"]),
        ] as [(String, Event, Value.Object)]
    )
    func `the fast path reads the bodies that most clients send`(body: String, event: Event, values: Value.Object)
        throws
    {
        let plain = try #require(FastSubmission(json: Array(body.utf8), to: page))
        #expect(page.events[plain.index].event == event)
        #expect(plain.values == values)
    }

    @Test(arguments: [
        // Valid, but not for the fast path.
        #"{"n":1}"#, #"{"a":null}"#, #"{"a":true}"#, #"{"a":"é"}"#, #"{"a":"\n"}"#, #"{"\u0061":"1"}"#,
        #"{"event":"fir\u0073t"}"#,
        // Invalid.
        "", " ", "{", "[]", "null", #""a""#, #"{"a"}"#, #"{"a":}"#, #"{"a":"1",}"#, #"{,}"#, #"{"a":"1"}}"#,
        #"{"a":"1"} x"#,
        #"{"a":"1""b":"2"}"#, #"{"a":"1"#, #"{"a":"1","a":"1"}"#, "{\"a\":\"\t\"}", "{\"a\":\"\0\"}", #"{"x":"1"}"#,
        #"{"n":"1"}"#,
        #"{"event":"third"}"#, #"{"event":1}"#, #"{"event":"first","event":"first"}"#, #"{"values":{},"values":{}}"#,
        #"{"event":"first","a":"1"}"#, #"{"a":"1","event":"first"}"#, #"{"values":{},"a":"1"}"#,
        #"{"a":"1","values":{}}"#,
        #"{"values":{"values":{}}}"#, #"{"values":{"event":"first"}}"#, #"{"values":"a"}"#, #"{"values":{"a":"1"}"#,
    ])
    func `the fast path leaves all other bodies to the reader`(body: String) {
        #expect(FastSubmission(json: Array(body.utf8), to: page) == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `the fast path and the reader agree`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var plainCount = 0
        for _ in 1...2000 {
            let body = body(&random)
            guard let plain = FastSubmission(json: body, to: page) else { continue }
            plainCount += 1
            let headers: Headers = ["Content-Type": "application/json"]
            let submission = try Submission(headers: headers, body: body)
            #expect(try page.index(of: submission.event) == plain.index)
            #expect(submission.values == plain.values)
            #expect(submission.values.map(\.name) == plain.values.map(\.name))
            #expect(submission.values.allSatisfy { page.field($0.name)?.accepts($0.value) == true })
        }
        #expect(plainCount > 100)
    }

    /// A random text of pieces of bodies, most of them in valid positions.
    private func body(_ random: inout RandomJSON) -> [UInt8] {
        func member(_ random: inout RandomJSON) -> String {
            let name = random.element(of: ["a", "a", "b", "b", "n", "x", "event", ""], or: "")
            let value = random.element(
                of: ["\"\"", "\"1\"", "\"first\"", "\"a b\"", "1", "\"é\"", "\"\\n\"", "null"],
                or: ""
            )
            return "\"\(name)\"\(random.space()):\(random.space())\(value)"
        }
        func object(_ random: inout RandomJSON) -> String {
            var members: [String] = []
            for _ in 0..<random.number(0...3) { members.append(member(&random)) }
            return "{\(random.space())\(members.joined(separator: ","))\(random.space())}"
        }
        var text = object(&random)
        if random.number(0...1) == 0 {
            let event = random.element(of: ["first", "second", "third"], or: "")
            let parts = [#""event":"\#(event)""#, #""values":\#(text)"#]
            text = "{" + (random.number(0...1) == 0 ? parts : parts.reversed()).joined(separator: ",") + "}"
        }
        var bytes = Array((random.space() + text + random.space()).utf8)
        if random.number(0...4) == 0 { bytes.remove(at: random.number(0...bytes.count - 1)) }
        if random.number(0...4) == 0, !bytes.isEmpty {
            bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
        }
        return bytes
    }
}

/// Reads two texts and a number.
private struct PlainPage: Script {
    static let a = Field<String?>("a")

    static let events: EventTable<Scripted<PlainPage>> = [
        .default("first", reads: a, Field<String?>("b"), Field<Double?>("n")) { _, _, _, _ in },
        .event("second", reads: a) { _, _ in },
    ]
}
