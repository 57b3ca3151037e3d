@testable import UnderstudyPages

struct SubmissionTests {
    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded"

    // MARK: The three ways

    @Test(
        arguments: [
            // A form, a flat object and an envelope.
            (form, "username=batman&password=bruce", nil, ["username": "batman", "password": "bruce"]),
            (json, #"{"username":"batman","password":"bruce"}"#, nil, ["username": "batman", "password": "bruce"]),
            (json, #"{"values":{"username":"batman"}}"#, nil, ["username": "batman"]),
            // An envelope or a form can name the event.
            (form, "event=emailChanged&email=a", "emailChanged", ["email": "a"]),
            (form, "email=a&event=emailChanged", "emailChanged", ["email": "a"]),
            (json, #"{"event":"emailChanged","values":{"email":"a"}}"#, "emailChanged", ["email": "a"]),
            (json, #"{"values":{"email":"a"},"event":"emailChanged"}"#, "emailChanged", ["email": "a"]),
            (form, "event=", "", [:]), (form, "event", "", [:]), (form, "%65vent=a+b", "a b", [:]),
            (form, "event=%C3%A9", "é", [:]),
            // Without values.
            (form, "event=onStart", "onStart", [:]), (json, #"{"event":"onStart"}"#, "onStart", [:]),
            (json, #"{"event":"onStart","values":{}}"#, "onStart", [:]),
            // An empty body is the default event.
            (form, "", nil, [:]), (json, "", nil, [:]), (json, "null", nil, [:]), (json, "{}", nil, [:]),
            (json, #"{"values":{}}"#, nil, [:]), (nil, "", nil, [:]),
            // The kinds of values, and any name in `values`.
            (
                json, #"{"a":"","b":1,"c":1.5,"d":true,"e":null}"#, nil,
                ["a": "", "b": 1, "c": 1.5, "d": true, "e": nil]
            ),
            (json, #"{"values":{"event":"a","values":"b","":"c"}}"#, nil, ["event": "a", "values": "b", "": "c"]),
        ] as [(String?, String, Event?, Value.Object)]
    )
    func `a body has an event and values`(type: String?, body: String, event: Event?, values: Value.Object) throws {
        let submission = try submission(body, type)
        #expect(submission.event == event)
        #expect(submission.values == values)
    }

    // MARK: JSON of the wrong shape

    @Test(arguments: [
        ("[]", ""), ("[1]", ""), ("true", ""), ("1", ""), (#""{}""#, ""),
        (#"{"event":1}"#, "/event"), (#"{"event":null}"#, "/event"), (#"{"event":{}}"#, "/event"),
        (#"{"event":["a"],"values":{}}"#, "/event"),
        (#"{"values":1}"#, "/values"), (#"{"values":null}"#, "/values"), (#"{"values":[]}"#, "/values"),
        (#"{"event":"a","values":"b"}"#, "/values"),
        (#"{"event":"a","username":"b"}"#, "/username"), (#"{"values":{},"username":"b"}"#, "/username"),
        (#"{"event":"a","values":{},"more":1}"#, "/more"), (#"{"Event":"a","values":{}}"#, "/Event"),
        (#"{"event":"a","a/b~c":1}"#, "/a~1b~0c"), (#"{"event":"a","~1":1}"#, "/~01"), (#"{"event":"a","":1}"#, "/"),
    ])
    func `JSON of another shape is rejected with a pointer`(body: String, pointer: String) throws {
        let problem = try problem(body, Self.json)
        #expect(problem.code == .malformedBody)
        #expect(problem.members == ["pointer": .string(pointer)])
        #expect(problem.detail?.isEmpty == false)
    }

    @Test(arguments: [("{", 1), (#"{"a":1,"a":2}"#, 7), ("\u{FEFF}{}", 0), (#"{"a":'b'}"#, 5)])
    func `invalid JSON is rejected with the offset`(body: String, offset: Int) throws {
        let problem = try problem(body, Self.json)
        #expect(problem.code == .malformedJSON)
        #expect(problem.members == ["offset": Value(offset)])
        #expect(problem.detail?.hasPrefix("At byte \(offset): ") == true)
    }

    // MARK: Forms

    @Test(
        arguments: [
            ("a=b+c", ["a": "b c"]), ("a+b=c", ["a b": "c"]), ("a=%2B", ["a": "+"]), ("a=%20", ["a": " "]),
            ("a=b=c", ["a": "b=c"]), ("a==", ["a": "="]), ("a=%26%3D%25", ["a": "&=%"]), ("%61=%62", ["a": "b"]),
            ("a=%C3%A9%e2%82%ac", ["a": "é€"]), ("a=é€", ["a": "é€"]), ("a=%F0%9F%98%80", ["a": "😀"]),
            ("a=%00", ["a": "\0"]), ("a=\n", ["a": "\n"]), ("a=%22{}[]", ["a": "\"{}[]"]),
            ("a", ["a": ""]), ("a=", ["a": ""]), ("a&b", ["a": "", "b": ""]), ("=b", ["": "b"]), ("=", ["": ""]),
            ("&", [:]), ("&&a=b&&", ["a": "b"]), ("a=1&b=true", ["a": "1", "b": "true"]),
            ("a=b;c=d", ["a": "b;c=d"]), ("values=a", ["values": "a"]), (" a=b", [" a": "b"]),
            // A name that occurs more than once is a list of its texts.
            ("a=1&a=1", ["a": ["1", "1"]]), ("a=1&b=2&a=3", ["a": ["1", "3"], "b": "2"]), ("a&a", ["a": ["", ""]]),
            ("a=1&%61=2", ["a": ["1", "2"]]), ("=1&=2", ["": ["1", "2"]]),
        ] as [(String, Value.Object)]
    )
    func `a form is decoded as browsers and curl encode it`(body: String, values: Value.Object) throws {
        let submission = try submission(body, Self.form)
        #expect(submission.event == nil)
        #expect(submission.values == values)
    }

    @Test(arguments: [
        "a=%", "a=%4", "a=%4g", "a=%g4", "a=%%41", "a=% 41", "%=a", "a=%+1", "a=%é", "b=1&a=%&c=2", "event=%",
        "a=%FF", "a=%80", "a=%C0%AF", "a=%C3", "a=%C3%28", "a=%ED%A0%80", "a=%E2%82", "%FF=a", "a=%F4%90%80%80",
        "event=%FF",
    ])
    func `a form that is not percent-encoded UTF-8 is rejected`(body: String) throws {
        try expectMalformedForm(body.bytes, at: "")
        try expectMalformedForm("a=".bytes + [0xED, 0xA0, 0x80], at: "")
    }

    @Test(arguments: ["event=a&event=a", "event=a&a=b&event=c"])
    func `a form names one event`(body: String) throws { try expectMalformedForm(body.bytes, at: "/event") }

    @Test func `a form has at most 1,000 fields`() throws {
        let fields = (1...1000).map { "f\($0)=\($0)" }
        #expect(try submission(fields.joined(separator: "&"), Self.form).values.count == 1000)
        try expectMalformedForm((fields + ["one=more"]).joined(separator: "&").bytes, at: "")
        try expectMalformedForm((fields + ["event=a"]).joined(separator: "&").bytes, at: "")
    }

    @Test(arguments: [
        #"{"username":"batman","password":"bruce"}"#, #" {"event":"a"}"#, "\r\n\t{}", "[]", "{", #"["a=b&c=d"]"#,
    ])
    func `JSON that is sent as a form is rejected with a hint`(body: String) throws {
        let problem = try problem(body, Self.form)
        #expect(problem.code == .malformedBody)
        #expect(problem.members == ["pointer": ""])
        #expect(problem.detail?.contains("curl --json") == true)
    }

    // MARK: Content types

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", "APPLICATION/JSON",
        "Application/Json ; charset=utf-8", "application/json;", "application/json\t;a=b",
    ])
    func `a media type is read in any case and with parameters`(type: String) throws {
        #expect(try submission(#"{"a":1}"#, type).values == ["a": 1])
        #expect(try problem("a=1", type).code == .malformedJSON)
        let form = type.lowercased().replacing("json", with: "X-WWW-form-urlencoded")
        #expect(try submission("a=1&b=true&c=null", form).values == ["a": "1", "b": "true", "c": "null"])
    }

    @Test(arguments: [
        "text/plain", "text/json", "application/jsonx", "application/jso", "application/problem+json",
        "application/ld+json",
        "multipart/form-data; boundary=a", "application/xml", "", ";", "*/*", "application/json, text/plain",
        "application/x-www-form-urlencode", "text/html; application/json",
    ])
    func `another media type is rejected, with or without a body`(type: String) throws {
        for body in [#"{"a":1}"#, ""] {
            let problem = try problem(body, type)
            #expect(problem.code == .unsupportedMediaType)
            #expect(problem.detail?.contains("'\(type)'") == true)
            #expect(problem.detail?.contains("curl --json") == true)
        }
    }

    @Test(arguments: ["a=1", "{}", " "])
    func `a body without a media type is rejected`(body: String) throws {
        let problem = try problem(body, nil)
        #expect(problem.code == .unsupportedMediaType)
        #expect(problem.detail?.contains("curl --json") == true)
    }

    // MARK: Helpers

    func submission(_ body: String, _ type: String?) throws -> Submission {
        try Submission(request(body.bytes, type))
    }

    func problem(_ body: String, _ type: String?) throws -> Problem {
        try #require(throws: Problem.self) { try submission(body, type) }
    }

    func expectMalformedForm(
        _ body: [UInt8],
        at pointer: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let problem = try #require(throws: Problem.self, sourceLocation: sourceLocation) {
            try Submission(request(body, Self.form))
        }
        #expect(problem.code == .malformedBody, sourceLocation: sourceLocation)
        #expect(problem.members == ["pointer": .string(pointer)], sourceLocation: sourceLocation)
    }

    func request(_ body: [UInt8], _ type: String?) -> Request {
        Request(.post, "/login", headers: type.map { ["Content-Type": $0] } ?? [:], body: body)
    }
}
