import BundledControllers
import BundledPages
import BusinessLogic
import Foundation
import Testing
import Understudy
import UnderstudyClient
import UnderstudyTesting

@Suite struct RemoteEventableTests {
    @Test func `the service's commands are given to the screen in order`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("products", in: RemoteSession(over: wire))
            try await screen.send("onStart")
            try await screen.send("onSelected", ["product": "Car"])
            try await screen.send("onSelected", ["product": "Book"])
            let car: Value = ["name": "Car", "description": "A beautiful car", "image": "car"]
            #expect(
                screen.commands == [
                    .render("title", "Products"),
                    .render("loading", true),
                    .render("products", [car, ["name": "Book", "description": "", "image": "book"]]),
                    .render("loading", false),
                    .goToPage("ProductDetail", ["product": car]),
                    .showAlert(.productWithoutDescription),
                ]
            )
        }
    }

    @Test func `a message keeps its code and its parameters`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("register", in: RemoteSession(over: wire))
            try await screen.send("textFieldDidEndEditing", ["userID": "12345"])
            #expect(screen.commands == [.render("userID", .null), .render("errorMessage", .invalidUserID)])
        }
    }

    @Test func `what the page accepts is asked once, and only what an event reads is sent`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("signup", in: RemoteSession(over: wire))
            screen.setValue("lisa@rules.com", for: "email")
            screen.setValue("secret", for: "password")
            try await screen.send("viewDidLoad")
            try await screen.send("nameChanged", ["name": "Lisa"])
            #expect(wire.targets == ["GET /signup", "POST /session", "POST /signup", "POST /signup"])
            #expect(
                wire.requests.value.map { String(decoding: $0.body, as: UTF8.self) } == [
                    "", "", #"{"event":"viewDidLoad","values":{}}"#,
                    #"{"event":"nameChanged","values":{"name":"Lisa"}}"#,
                ]
            )
        }
    }

    @Test(arguments: [9_007_199_254_740_993, Int.max, Int.min])
    func `numbers stay exact in both directions`(integer: Int) async throws {
        try await withService([FormController.page]) { wire in
            let screen = screen("form", in: RemoteSession(over: wire))
            let number = Value.number(.integer(integer))
            try await screen.send("entered", ["age": number, "agrees": true, "note": .null, "pin": "1"])
            #expect(screen.commands == [.render("age", number), .render("agrees", true), .render("note", .null)])
        }
    }

    @Test func `an event is refused as the local controller would refuse it, and nothing has run`() async throws {
        let refusals: [(event: Event, values: Value.Object, refusal: EventError)] = [
            ("leave", [:], .unknownEvent("leave", events: ["entered", "cleared"])),
            ("entered", [:], .missingField("age", fields: ["age", "agrees", "note", "pin"])),
            ("entered", ["age": 1, "agrees": true, "pin": "1"], .missingField("note", fields: Self.fields)),
            (
                "entered", ["age": "1", "agrees": true, "note": "", "pin": "1"],
                .wrongFieldType("age", expected: .number, fields: Self.fields)
            ),
            (
                "entered", ["age": .number(.double(.infinity)), "agrees": true, "note": "", "pin": "1"],
                .wrongFieldType("age", expected: .number, fields: Self.fields)
            ),
            (
                "entered", ["age": 1, "agrees": .null, "note": "", "pin": "1"],
                .wrongFieldType("agrees", expected: .boolean, fields: Self.fields)
            ),
        ]
        try await withService([FormController.page]) { wire in
            for (event, values, refusal) in refusals {
                let screen = screen("form", in: RemoteSession(over: wire))
                await #expect(throws: refusal) { try await screen.send(event, values) }
                #expect(screen.commands == [])
            }
        }
    }

    private static let fields = ["age", "agrees", "note", "pin"]

    @Test(arguments: [
        CollaboratorError.unavailable(retryAfter: .seconds(5)), .overloaded(retryAfter: .seconds(1)),
        .tooManyRequests(retryAfter: .seconds(7)),
    ])
    func `a collaborator's error arrives after the attempts, which wait as long as it asks`(
        error: CollaboratorError
    ) async throws {
        try await withService([FailingController.page(error)]) { wire in
            let screen = screen("failing", in: RemoteSession(over: wire, attempts: 2))
            await #expect(throws: error) { try await screen.send("fail") }
            #expect(wire.targets == ["GET /failing", "POST /session", "POST /failing", "POST /failing"])
            #expect(screen.commands == [])
            #expect(wire.waits.value == [error.retryAfter + .milliseconds(250)])
        }
    }

    @Test func `any other error is the service's own, and is not tried again`() async throws {
        try await withService([FailingController.page(Outage())]) { wire in
            let screen = screen("failing", in: RemoteSession(over: wire))
            let problem = try await problem { try await screen.send("fail") }
            #expect(problem.status == 500)
            #expect(problem.code == "internal")
            #expect("\(problem)" == "500 internal: Something went wrong on the server")
            #expect(wire.targets == ["GET /failing", "POST /session", "POST /failing"])
            #expect(screen.commands == [])
        }
    }

    @Test func `a page that there is not is a problem that says so`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("guest book", in: RemoteSession(over: wire))
            let problem = try await problem { try await screen.send("sign") }
            #expect(problem.code == "unknownPage")
            #expect(problem.detail == "There is nothing at '/guest%20book'.")
            #expect(problem.members["pages"]?.array?.first == "login")
            #expect("\(problem)" == "404 unknownPage: There is nothing at '/guest%20book'.")
            #expect("\(RemoteError.problem(problem))" == "\(problem)")
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"sequence":-1,"commands":[]}"#, #"{"sequence":1,"commands":[{}]}"#,
        #"{"sequence":1,"commands":[{"sequence":1,"page":"login","command":"render","key":"a"}]}"#,
        #"{"sequence":1,"commands":[{"sequence":1,"page":"login","command":"showAlert"}]}"#,
        #"{"sequence":1,"commands":[{"sequence":1,"page":"login","command":"goToPage"}]}"#,
    ])
    func `an answer that is none is an error`(body: String) async throws {
        let screen = screen("login", in: RemoteSession(StubTransport(.page, .token, RemoteResponse(200, body))))
        let error = await #expect(throws: RemoteError.self) { try await screen.send("pressed") }
        guard case .malformedResponse = error else { throw Outage() }
        #expect(screen.commands == [])
    }

    @Test func `commands and members that are not known are ignored`() async throws {
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

    @Test func `a proxy's error page is an error`() async throws {
        let transport = StubTransport(.page, .token, RemoteResponse(404, "<html>"))
        let screen = screen("login", in: RemoteSession(transport))
        let error = await #expect(throws: RemoteError.self) { try await screen.send("pressed") }
        guard case .malformedResponse("It has the status 404, and says no more.") = error else { throw Outage() }
        #expect(
            error.map { "\($0)" }
                == "The answer is none of an Understudy service: It has the status 404, and says no more."
        )
    }

    @Test func `an answer that does not come is an error that says why`() {
        #expect("\(RemoteError.transport(Outage()))" == "There was no answer: \(Outage())")
    }

    @Test func `a new screen in an old session is painted as the page is`() async throws {
        try await withService(Page.demo()) { wire in
            let session = RemoteSession(over: wire)
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
        case .unavailable(let retryAfter), .overloaded(let retryAfter), .tooManyRequests(let retryAfter): retryAfter
        }
    }
}
