import BundledPages
import Foundation
import TestSupport

@testable import Understudy
@testable import UnderstudyPages
@testable import UnderstudySessions

@Suite struct SessionSnapshotTests {
    private let clock = ManualClock()

    private func service(_ pages: [Page]? = nil) -> UnderstudyService {
        UnderstudyService(pages: pages ?? Page.bundled(clock)) { $0.clock = clock }
    }

    /// The events of a user on all pages.
    private static let steps: [(path: String, json: String)] = [
        ("/signup", #"{"event":"viewDidLoad"}"#),
        ("/login", #"{"username":"batman","password":"joker"}"#),
        ("/login", #"{"password":"joker"}"#),
        ("/signup", #"{"event":"nameChanged","values":{"name":"Lisa"}}"#),
        ("/email", #"{"email":"lisa@rules"}"#),
        ("/register", #"{"userID":" 012345 678912 "}"#),
        ("/products", #"{}"#),
        ("/login", #"{"password":"joker"}"#),
        ("/signup", #"{"event":"emailChanged","values":{"email":"lisa@rules"}}"#),
        ("/signup", #"{"event":"passwordChanged","values":{"password":"s3cret"}}"#),
        ("/signup", #"{"password":"s3cret"}"#),
        ("/products", #"{"event":"onSelected","values":{"product":"Book"}}"#),
        ("/email", #"{"event":"saveButtonPressed"}"#),
        ("/signup", #"{"password":"s3cret"}"#),
        ("/register", #"{"userID":null}"#),
        ("/login", #"{"password":"joker"}"#),
        ("/login", #"{"password":"joker"}"#),
        ("/login", #"{"password":"bruce"}"#),
        ("/product", #"{"product":"Car"}"#),
        ("/email", #"{"email":"lisa@rules.com"}"#),
        ("/signup", #"{"password":"s3cret"}"#),
        ("/signup", #"{"email":"lisa@rules.com","password":"s3cret"}"#),
        ("/email", #"{"event":"saveButtonPressed"}"#),
        ("/products", #"{"event":"onSelected","values":{"product":"Car"}}"#),
        ("/product", #"{"product":"Bike"}"#),
        ("/signup", #"{"event":"nameChanged","values":{"name":""}}"#),
    ]

    @Test func `a session continues in another service from its snapshot`() async throws {
        let (here, elsewhere) = (service(), service())
        let (stayer, mover) = (TestClient(here), TestClient(elsewhere))
        for (number, step) in Self.steps.enumerated() {
            let stayed = try await stayer.post(step.path, step.json, key: "\(number)")
            let moved = try await mover.post(step.path, step.json, key: "\(number)")
            #expect(moved.status == 200)
            #expect(try moved.json == stayed.json, "\(step)")
            try await moveHouse(mover, elsewhere)
            #expect(try await mover.get(step.path).json == stayer.get(step.path).json)
        }
        for path in here.pages.all.map({ "/\($0.name)" }) + ["/session/history"] {
            #expect(try await mover.get(path).json == stayer.get(path).json)
        }
        #expect(try await mover.get("/session/history")["sequence"]?.integer ?? 0 > Self.steps.count)
    }

    @Test func `the sequence continues after a snapshot without history`() async throws {
        let service = service([CountingController.page])
        let client = TestClient(service)
        for _ in 1...3 { try await client.post("/counter", #"{"event":"chatter"}"#) }
        try await moveHouse(client, service)
        try expect(
            await client.post("/counter"),
            is: #"""
                {"sequence":302,"ok":true,"commands":[
                  {"sequence":301,"page":"counter","command":"render","key":"counting","value":1},
                  {"sequence":302,"page":"counter","command":"render","key":"counted","value":1}]}
                """#
        )
        #expect(try await client.get("/session/history?since=46").status == 200)
        #expect(try await client.get("/session/history?since=45").status == 410)
    }

    @Test func `a snapshot contains no secrets`() async throws {
        let service = service()
        let client = TestClient(service)
        let canary = "canary-7f3a"
        try await client.post("/login", #"{"username":"batman","password":"\#(canary)"}"#, key: "a")
        try await client.post("/signup", #"{"event":"passwordChanged","values":{"password":"\#(canary)"}}"#, key: "b")
        try await client.post("/signup", #"{"event":"nameChanged","values":{"name":"a","password":"\#(canary)"}}"#)
        try await client.post("/signup", #"{"name":"a","email":"b","password":"\#(canary)"}"#)
        try await client.post("/signup", #"{"event":"nothing","values":{"password":"\#(canary)"}}"#)
        let text = String(decoding: try await session(of: client, service).snapshot.json, as: UTF8.self)
        #expect(text.contains("batman"))
        #expect(!text.contains(canary))
        #expect(!text.contains(Data(canary.utf8).base64EncodedString()))
        #expect(!text.contains(canary.utf8.map(String.init).joined(separator: ",")))
    }

    @Test func `restoring leaves out a page that is no longer served`() async throws {
        let service = service()
        let client = TestClient(service)
        try await client.post("/email", #"{"email":"a"}"#)
        try await client.post("/register", #"{"userID":"a"}"#)
        let session = try await session(of: client, service)
        let pages = Pages(service.pages.all.filter { $0.name != "email" })
        let other = Session(id: SessionToken.random().id, now: clock.now)
        other.restore(try session.snapshot, pages: pages)
        #expect(other.screens.map(\.page.name) == ["register"])
        #expect(other.history.sequence == session.history.sequence)
    }

    // MARK: Helpers

    /// Encodes the client's session as JSON and restores it as a new one.
    private func moveHouse(_ client: TestClient, _ service: UnderstudyService) async throws {
        let session = try await session(of: client, service)
        let snapshot = try SessionSnapshot(json: session.snapshot.json)
        let moved = Session(id: session.shardEntry.id, now: snapshot.created)
        moved.restore(snapshot, pages: service.pages)
        service.liveSessions.remove(session)
        #expect(service.liveSessions.insert(moved, at: clock.now, revocations: service.liveSessions.lastRevocation))
    }

    private func session(of client: TestClient, _ service: UnderstudyService) async throws -> Session {
        let text = try #require(client.cookie?.split(separator: "=").last)
        let id = try #require(sessionToken(String(text))).id
        return try #require(service.liveSessions.find(id, at: clock.now))
    }
}
