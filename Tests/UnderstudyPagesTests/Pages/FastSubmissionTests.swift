/// The fast paths for the bodies that most clients send, as forms and in JSON.
struct FastSubmissionTests {
    let page = Page("form", TickedForm())

    func read(_ body: [UInt8], isForm: Bool) -> (index: Int, values: Value.Object)? {
        isForm
            ? FastForm(body, to: page).map { ($0.index, $0.values) }
            : FastSubmission(json: body, to: page).map { ($0.index, $0.values) }
    }

    @Test(
        arguments: [
            ("a=1", "first", ["a": "1"]), ("b=&a=x+y", "first", ["b": "", "a": "x y"]),
            ("a=%C3%A9%20%2B", "first", ["a": "é +"]), ("a=é", "first", ["a": "é"]), ("a=1=2", "first", ["a": "1=2"]),
            ("a=1&", "first", ["a": "1"]), ("event=second", "second", ["ticked": false]),
            ("a=1&event=second&b=2", "second", ["a": "1", "b": "2", "ticked": false]),
            ("{}", "first", [:]), (#"{"a":"1"}"#, "first", ["a": "1"]),
            (#"{"b":"","a":"x y"}"#, "first", ["b": "", "a": "x y"]),
            (#"{"event":"second"}"#, "second", [:]), (#"{"values":{}}"#, "first", [:]),
            (#"{"event":"second","values":{"a":"1","b":"2"}}"#, "second", ["a": "1", "b": "2"]),
            (#"{"values":{"a":"1"},"event":"first"}"#, "first", ["a": "1"]),
            (" {\t\"values\" : { \"a\"\r\n:\"\u{7F}\" , \"b\":\"~\" } }\n", "first", ["a": "\u{7F}", "b": "~"]),
        ] as [(String, Event, Value.Object)]
    )
    func `the fast path reads forms and JSON`(body: String, event: Event, values: Value.Object) throws {
        let fast = try #require(read(body.bytes, isForm: !body.contains("{")))
        #expect(page.events[fast.index].event == event)
        #expect(fast.values == values)
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
        #expect(read(body.bytes, isForm: true)?.index == nil)
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
    func `the fast path leaves all other JSON to the reader`(body: String) {
        #expect(read(body.bytes, isForm: false)?.index == nil)
    }

    @Test(arguments: [true, false], 1...8 as ClosedRange<UInt64>)
    func `the fast path and the reader agree`(isForm: Bool, seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var count = 0
        for _ in 1...2000 {
            let body = isForm ? form(&random) : json(&random)
            guard let fast = read(body, isForm: isForm) else { continue }
            count += 1
            let headers: Headers = ["Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json"]
            let submission = try Submission(headers: headers, body: body)
            let index = try page.index(of: submission.event)
            let (accepted, faults) = try page.accept(submission, for: page.events[index])
            let values = isForm ? accepted : submission.values
            #expect(index == fast.index)
            #expect(faults.isEmpty)
            #expect(values == fast.values)
            #expect(values.map(\.name) == fast.values.map(\.name))
        }
        #expect(count > 100)
    }

    /// A random text of pieces of forms, most of them in valid positions.
    func form(_ random: inout RandomJSON) -> [UInt8] {
        var fields: [String] = []
        for _ in 0..<random.number(0...3) {
            let name = random.element(of: ["a", "a", "b", "b", "n", "ticked", "x", "event", ""], or: "")
            let value = random.element(
                of: ["", "1", "first", "second", "a+b", "%41", "%C3%A9", "é", "%", "1=2"],
                or: ""
            )
            fields.append("\(name)=\(value)")
        }
        return damaged(fields.joined(separator: "&").bytes, &random)
    }

    /// The bytes, perhaps without one of them, and perhaps with another one in the place of one.
    func damaged(_ bytes: [UInt8], _ random: inout RandomJSON) -> [UInt8] {
        var bytes = bytes
        if random.number(0...4) == 0, !bytes.isEmpty { bytes.remove(at: random.number(0...bytes.count - 1)) }
        if random.number(0...4) == 0, !bytes.isEmpty {
            bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
        }
        return bytes
    }

    /// A random text of pieces of bodies, most of them in valid positions.
    func json(_ random: inout RandomJSON) -> [UInt8] {
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
        return damaged((random.space() + text + random.space()).bytes, &random)
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
