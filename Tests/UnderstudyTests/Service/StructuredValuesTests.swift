struct StructuredValuesTests {
    let client = TestClient(pages: [OrderController.page])

    let shownTea: Value = ["product": "tea", "size": "small", "count": 2, "isHot": false]

    @discardableResult
    func post(_ body: String) async throws -> Answer { try await client.post("/order", body) }

    // MARK: What is accepted

    static let tea = #"{"lines": [{"product": "tea", "size": "small", "count": 2}], "day": "2027-03-01"}"#

    @Test(arguments: [
        tea,
        #"{"values": {"lines": [{"size": "small", "isHot": false, "count": 2.0, "product": "tea"}], "day": "2027-03-01"}}"#,
        // A form names members and elements by dots.
        "lines.0.product=tea&lines.0.size=small&lines.0.count=2&day=2027-03-01",
        "day=2027-03-01&lines.0.count=2&lines.0.size=small&lines.0.product=tea&note=&tags=",
        "lines=&lines.0.product=tea&lines.0.size=small&lines.0.count=2&day=2027-03-01",
    ])
    func `a list of objects, and a date, reach the controller and return`(body: String) async throws {
        #expect(try await post(body).shown == [[shownTea], 5, "2027-03-01T09:00:00Z"])
    }

    @Test func `the elements of a form's list are in the order of their indices`() async throws {
        let fields = (0..<12).reversed().map {
            "lines.\($0).product=tea\($0)&lines.\($0).size=small&lines.\($0).count=1"
        }
        let answer = try await post(fields.joined(separator: "&") + "&lines.3.isHot=on&day=2027-03-01")
        let lines = try answer.commands.first?["value"]?.array
        #expect(lines?.compactMap { $0["product"]?.string } == (0..<12).map { "tea\($0)" })
        #expect(lines?.compactMap { $0["isHot"]?.boolean } == (0..<12).map { $0 == 3 })
    }

    @Test(arguments: [("tags=x&tags=y", ["x", "y"]), ("tags=", [])] as [(String, Value)])
    func `a name that occurs more than once in a form is a list of texts`(tags: String, kept: Value) async throws {
        try await post("lines.0.product=a&lines.0.size=small&lines.0.count=1&day=2027-03-01&\(tags)")
        #expect(try await client.get("/order")["values"]?["tags"] == kept)
    }

    // MARK: What is rejected

    @Test func `every fault of an event is reported with its pointer and its code`() async throws {
        let answer = try await client.post(
            "/order",
            """
            {"values": {"lines": [{"product": "", "size": "huge", "count": 100, "colour": "red"}, {"size": 1}], "note": "ab", \
            "colour": 1}}
            """
        )
        let detail: Value = "The value at /values/lines/0/product must have at least 1 character."
        try expect(answer, 422, "valueTooShort", ["field": "lines", "detail": detail])
        let errors = try answer["errors"]?.array ?? []
        #expect(
            faults(errors) == [
                "/values/lines/0/product valueTooShort", "/values/lines/0/size unknownChoice",
                "/values/lines/0/count valueOutOfRange", "/values/lines/0/colour unknownField",
                "/values/lines/1/product missingField", "/values/lines/1/size wrongFieldType",
                "/values/lines/1/count missingField", "/values/note valueTooShort", "/values/colour unknownField",
                "/values/day missingField",
            ]
        )
        #expect(errors.map { $0["field"]?.string } == ["lines"].repeated(7) + ["note", "colour", "day"])
        #expect(errors[1]["choices"] == ["small", "medium", "large"])
        #expect(errors[2]["minimum"] == 1 && errors[2]["maximum"] == 99)
        #expect(errors[1]["message"] == "Choose one of the options.")
        #expect(try await client.get("/order")["rendered"] == [:])
    }

    @Test(
        arguments: [
            ("{}", ["/lines missingField", "/day missingField"]),
            (#"{"values":{}}"#, ["/values/lines missingField", "/values/day missingField"]),
            (#"{"event":"orderButtonPressed"}"#, ["/values/lines missingField", "/values/day missingField"]),
            (#"{"lines":[],"day":"2027-01-01"}"#, ["/lines wrongCount"]),
            (#"{"lines":null,"day":"2027-02-30"}"#, ["/lines wrongFieldType", "/day wrongFieldType"]),
            (#"{"lines":{},"day":"2028-01-01"}"#, ["/lines wrongFieldType", "/day valueOutOfRange"]),
            (#"{"lines":["tea"],"day":"2026-12-31"}"#, ["/lines/0 wrongFieldType", "/day valueOutOfRange"]),
            (#"{"lines":[[]],"day":"01.03.2027"}"#, ["/lines/0 wrongFieldType", "/day wrongFieldType"]),
            (
                "lines.0.product=tea&lines.0.size=XL&lines.0.count=two&day=",
                ["/lines/0/size unknownChoice", "/lines/0/count wrongFieldType", "/day wrongFieldType"]
            ),
            (
                "lines.0.product=tea&lines.0.colour=red&day=2027-01-01",
                ["/lines/0/size missingField", "/lines/0/count missingField", "/lines/0/colour unknownField"]
            ),
            (
                // A name is split at the byte of a dot, also before a combining mark.
                "lines.0.product=tea&lines.0.size=small&lines.0.count=1&lines.0.\u{301}=red&day=2027-01-01",
                ["/lines/0/\u{301} unknownField"]
            ),
            ("lines.0=tea&day=2027-01-01", ["/lines/0 wrongFieldType"]),
            ("lines=tea&day.year=2027", ["/day.year unknownField", "/lines wrongFieldType", "/day missingField"]),
            ("tags=a&tags=%00", ["/tags/1 wrongFieldType", "/lines missingField", "/day missingField"]),
        ]
    )
    func `a fault's pointer is that of the body as it was sent`(body: String, faults: [String]) async throws {
        #expect(try await self.faults(post(body)["errors"]?.array ?? []) == faults)
    }

    func faults(_ errors: [Value]) -> [String] {
        errors.map { "\($0["pointer"]?.string ?? "") \($0["code"]?.string ?? "")" }
    }

    @Test(arguments: [
        ("lines.1.product=tea&day=2027-01-01", "/lines"), ("lines.0.product=a&lines.2.product=b", "/lines"),
        ("lines.00.product=a", "/lines"), ("lines.-1.product=a", "/lines"), ("lines.x.product=a", "/lines"),
        ("lines.0.product=a&lines.0.product=b", "/lines/0/product"), ("day=2027-01-01&day=2027-01-01", "/day"),
        ("lines.0.product.x=a", "/lines/0/product"), ("lines.0.product.=a", "/lines/0/product"),
        ("lines=x&lines.0.product=a", "/lines"), ("lines.0=x&lines.0.product=a", "/lines/0"),
        // An array or an object instead of a scalar.
        (#"{"day":[]}"#, "/day"), (#"{"day":{}}"#, "/day"), (#"{"note":["a"]}"#, "/note"),
    ])
    func `a body with a gap in a list, or several values for one, is malformed`(body: String, pointer: String)
        async throws
    {
        try await expect(post(body), 400, "malformedBody", ["pointer": .string(pointer)])
    }

    @Test func `a member with the name of its field is named by its pointer`() {
        let member = FieldFault("lines", .missing, pointer: "/values/lines/0/lines")
        #expect(member.explanation == "The value at /values/lines/0/lines has no value.")
        for pointer in ["/lines", "/values/lines"] {
            let field = FieldFault("lines", .tooLong(maximum: 3), pointer: pointer)
            #expect(field.explanation == "The field 'lines' may have at most 3 characters.")
        }
    }

    // MARK: Limits

    @Test func `an event has at most 1,000 values and 8 levels`() async throws {
        func nested(_ levels: Int) -> String { (#"{"a":"#).repeated(levels) + "1" + "}".repeated(levels) }
        let many = "[" + ["1"].repeated(1000).joined(separator: ",") + "]"
        for (gift, status) in [(nested(8), 400), (nested(7), 422), (many, 400)] {
            try await expect(client.post("/order", #"{"gift":\#(gift)}"#), status)
        }
    }

    @Test func `a response lists at most 100 faults`() async throws {
        let lines = ["{}"].repeated(20).joined(separator: ",")
        let tags = ["1"].repeated(100).joined(separator: ",")
        let answer = try await expect(post(#"{"lines":[\#(lines)],"tags":[\#(tags)]}"#), 422)
        #expect(try answer["errors"]?.array?.count == 100)
    }

    @Test func `a list has at most 100 elements unless its field declares another number`() async throws {
        func errors(_ count: Int) async throws -> [Value] {
            let tags = [#""a""#].repeated(count).joined(separator: ",")
            return try await post(#"{"tags":[\#(tags)]}"#)["errors"]?.array ?? []
        }
        #expect(try await errors(100).map { $0["pointer"] } == ["/lines", "/day"])
        #expect(try await errors(101).map { $0["code"] } == ["wrongCount", "missingField", "missingField"])
    }

    // MARK: What a page declares and shows

    @Test func `a page describes its fields and outputs in JSON Schema`() async throws {
        let page = try await client.get("/order")
        let fields = try page["fields"]?.array ?? []
        #expect(fields.map { $0["kind"] } == ["array", "string", "string", "array", "object"])
        #expect(
            try fields.first?["schema"]
                == json(
                    #"""
                    {"type":"array","items":{"type":"object","properties":{
                       "product":{"type":"string","minLength":1,"maxLength":40},
                       "size":{"type":"string","enum":["small","medium","large"]},
                       "count":{"type":"integer","format":"int64","minimum":1,"maximum":99},
                       "isHot":{"type":"boolean","description":"Whether it is served hot.","default":false}},
                      "required":["product","size","count"],"additionalProperties":false},
                     "minItems":1,"maxItems":20}
                    """#
                )
        )
        #expect(
            fields[1]["schema"] == [
                "type": "string", "formatMinimum": "2027-01-01", "formatMaximum": "2027-12-31", "format": "date",
            ]
        )
        #expect(try page["outputs"]?.array?[1]["schema"] == ["type": "number", "format": "decimal"])
    }

    @Test func `with return=representation, the response has what the page shows`() async throws {
        let answer = try await client.post("/order", Self.tea, prefer: ["return=representation"])
        #expect(answer.header("Preference-Applied") == "return=representation")
        #expect(try answer["rendered"] == ["lines": [shownTea], "total": 5, "delivery": "2027-03-01T09:00:00Z"])
        #expect(try answer.commands.count == 3)
        #expect(try await client.get("/order")["rendered"] == answer["rendered"])
    }

    @Test func `a value with a secret member is not kept`() async throws {
        try await expect(post(#"{"gift":{"paper":"red","code":"1234"},"# + Self.tea.dropFirst()), 200)
        let page = try await client.get("/order")
        #expect(try page["values"]?["gift"] == nil)
        #expect(try page["values"]?["day"] == "2027-03-01")
        #expect(try page["fields"]?.array?.last?["secret"] == true)
    }
}
