struct RemoteEventableTests {
    @Test func `the fields are requested once, and only those that an event reads are sent`() async throws {
        try await withService(Page.demo()) { transport in
            let screen = screen("signup", in: RemoteSession(over: transport))
            screen.setValue("lisa@rules.com", for: "email")
            screen.setValue("secret", for: "password")
            try await screen.send("viewDidLoad")
            try await screen.send("nameChanged", ["name": "Lisa"])
            #expect(transport.targets == ["GET /signup", "POST /session", "POST /signup", "POST /signup"])
            #expect(
                transport.requests.value.map { $0.body.text } == [
                    "", "", #"{"event":"viewDidLoad","values":{}}"#,
                    #"{"event":"nameChanged","values":{"name":"Lisa"}}"#,
                ]
            )
        }
    }

    @Test func `an invalid event throws the error of the local controller`() async throws {
        let rejected: [(event: Event, values: Value.Object, error: EventError)] = [
            ("leave", [:], .unknownEvent("leave", events: ["entered", "noted", "signed"])),
            ("entered", [:], .invalidFields(Self.fields.map { FieldFault($0, .missing) }, fields: Self.fields)),
            ("entered", ["age": 1, "agrees": true, "pin": "1"], .missingField("name", fields: Self.fields)),
            (
                "entered", ["age": "1", "agrees": true, "name": "", "pin": "1"],
                .wrongFieldType("age", expected: ExpectedValue(.number, example: 1), fields: Self.fields)
            ),
            (
                "entered", ["age": .number(.double(.infinity)), "agrees": true, "name": "", "pin": "1"],
                .wrongFieldType("age", expected: ExpectedValue(.number, example: 1), fields: Self.fields)
            ),
            (
                "entered", ["age": 1, "agrees": .null, "name": "", "pin": "1"],
                .wrongFieldType("agrees", expected: ExpectedValue(.boolean, example: true), fields: Self.fields)
            ),
        ]
        try await withService([FormController.page]) { transport in
            for (event, values, error) in rejected {
                let screen = screen("form", in: RemoteSession(over: transport))
                await #expect(throws: error) { try await screen.send(event, values) }
                #expect(screen.commands == [])
            }
        }
    }

    static let fields = ["age", "agrees", "name", "pin"]

    @Test(arguments: [
        CollaboratorError.unavailable(retryAfter: .seconds(5)), .overloaded(retryAfter: .seconds(1)),
        .unavailable(retryAfter: .seconds(5), part: "accounts"),
        .tooManyRequests(retryAfter: .seconds(7)),
    ])
    func `a collaborator's error is thrown after retries with the requested delays`(error: CollaboratorError)
        async throws
    {
        try await withService([FailingController.page(error)]) { transport in
            let screen = screen("failing", in: RemoteSession(over: transport, attempts: 2))
            await #expect(throws: error) { try await screen.send("fail") }
            #expect(transport.targets == ["GET /failing", "POST /session", "POST /failing", "POST /failing"])
            #expect(screen.commands == [])
            #expect(transport.delays.value == [error.retryAfter + .milliseconds(250)])
        }
    }

    @Test func `an internal error of the service is not retried`() async throws {
        try await withService([FailingController.page(Outage())]) { transport in
            let screen = screen("failing", in: RemoteSession(over: transport))
            let problem = try await problem { try await screen.send("fail") }
            #expect(problem.status == 500)
            #expect(problem.code == "internal")
            #expect("\(problem)" == "500 internal: Something went wrong on the server")
            #expect(transport.targets == ["GET /failing", "POST /session", "POST /failing"])
            #expect(screen.commands == [])
        }
    }

    @Test func `an unknown page is a problem with the code unknownPage`() async throws {
        try await withService(Page.demo()) { transport in
            let screen = screen("guest book", in: RemoteSession(over: transport))
            let problem = try await problem { try await screen.send("sign") }
            #expect(problem.code == "unknownPage")
            #expect(problem.detail == "There is nothing at '/guest%20book'.")
            #expect(problem.members["pages"]?.array?.first == "login")
            #expect("\(problem)" == "404 unknownPage: There is nothing at '/guest%20book'.")
            #expect("\(RemoteError.problem(problem))" == "\(problem)")
        }
    }

    @Test(arguments: [
        (200, ""), (200, "[]"), (200, "{}"), (200, #"{"sequence":-1,"commands":[]}"#),
        (200, #"{"sequence":1,"commands":[{}]}"#),
        // The error page of a proxy.
        (404, "<html>"),
    ])
    func `a malformed response is an error`(status: Int, body: String) async throws {
        let screen = screen("login", in: RemoteSession(StubTransport(.page, .token, RemoteResponse(status, body))))
        let error = await #expect(throws: RemoteError.self) { try await screen.send("pressed") }
        guard case .malformedResponse(let reason) = error else { throw Outage() }
        if status == 404 { #expect(reason == "It has the status 404, and its body is not a problem.") }
        #expect(error.map { "\($0)" } == "The response is not one of an Understudy service: \(reason)")
        #expect(screen.commands == [])
    }

    @Test func `unknown commands and members are ignored`() async throws {
        let answer = #"""
            {"sequence":3,"mood":"good","commands":[
              {"sequence":1,"page":"login","command":"render","key":"a","value":1,"colour":"red"},
              {"sequence":2,"page":"login","command":"playSound","name":"ding"},
              {"sequence":3,"page":"login","command":"goToPage","name":"Home"}]}
            """#
        let transport = StubTransport(.page, .token, RemoteResponse(200, answer))
        let screen = screen("login", in: RemoteSession(transport))
        try await screen.send("pressed")
        #expect(screen.commands == [.render("a", 1), .goToPage("Home")])
        #expect(transport.requests.value.count == 3)
    }

    @Test func `a field that the screen does not contain is sent with the value that the page declares`() async throws {
        let page = RemoteResponse(
            200,
            #"""
            {"page":"login","sequence":0,"rendered":{},"events":[{"event":"pressed","reads":["news","name"]}],
             "fields":[{"name":"news","kind":"boolean","whenAbsent":false},{"name":"name","kind":"string"}]}
            """#
        )
        let transport = StubTransport(page, .token, RemoteResponse(200, #"{"sequence":0,"commands":[]}"#))
        let screen = screen("login", in: RemoteSession(transport))
        await #expect(throws: EventError.missingField("name", fields: ["news", "name"])) {
            try await screen.send("pressed")
        }
        try await screen.send("pressed", ["name": "Lisa"])
        #expect(
            transport.requests.value.last.map { $0.body.text }
                == #"{"event":"pressed","values":{"news":false,"name":"Lisa"}}"#
        )
    }

    @Test func `a missing response is an error with its cause`() {
        #expect("\(RemoteError.transport(Outage()))" == "There was no response: \(Outage())")
    }

    @Test func `a refreshed screen shows the page's current values`() async throws {
        try await withService(Page.demo()) { transport in
            let session = RemoteSession(over: transport)
            try await screen("products", in: session).send("onStart")
            let screen = ResponseRecorder()
            let eventable = RemoteEventable("products", in: session)
            screen.eventable = eventable
            try await eventable.refresh()
            #expect(screen.rendered.map(\.name).sorted() == ["loading", "products", "title"])
            #expect(screen.rendered["title"] == "Products")
        }
    }
}

/// The problem that `body` throws.
func problem(_ body: () async throws -> Void) async throws -> RemoteProblem {
    do {
        try await body()
    } catch RemoteError.problem(let problem) {
        return problem
    }
    throw Outage()
}

extension CollaboratorError {
    fileprivate var retryAfter: Duration {
        switch self {
        case .unavailable(let retryAfter, _), .overloaded(let retryAfter), .tooManyRequests(let retryAfter): retryAfter
        }
    }
}
