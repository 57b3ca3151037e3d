import BundledControllers
import BundledPages
import BusinessLogic
import MicroHTTP
import Testing

@testable import Understudy

@Suite struct ProductsPageTests {
    private static let events = #"""
        [{"event":"onStart","default":true,"reads":[],"secret":[]},
         {"event":"onSelected","default":false,"reads":["product"],"secret":[]}]
        """#

    private static let shown = #"""
        {"sequence":4,"commands":[
          {"sequence":1,"page":"products","command":"render","key":"title","value":"Products"},
          {"sequence":2,"page":"products","command":"render","key":"loading","value":true},
          {"sequence":3,"page":"products","command":"render","key":"products","value":[
            {"name":"Car","description":"A beautiful car","image":"car"},
            {"name":"Book","description":"","image":"book"}]},
          {"sequence":4,"page":"products","command":"render","key":"loading","value":false}]}
        """#

    private static let unavailable = #"""
        {"sequence":4,"commands":[
          {"sequence":1,"page":"products","command":"render","key":"title","value":"Products"},
          {"sequence":2,"page":"products","command":"render","key":"loading","value":true},
          {"sequence":3,"page":"products","command":"showAlert","message":"No products available",
           "code":"products.unavailable"},
          {"sequence":4,"page":"products","command":"render","key":"loading","value":false}]}
        """#

    @Test(arguments: Transport.allCases)
    func `products are shown and lead to their detail`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.demo())) { client in
            try expect(
                await client.get("/products"),
                is: #"""
                    {"page":"products","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            try expect(await client.post("/products"), is: Self.shown)
            try expect(
                await client.get("/products"),
                is: #"""
                    {"page":"products","sequence":4,"rendered":{"title":"Products","loading":false,"products":[
                       {"name":"Car","description":"A beautiful car","image":"car"},
                       {"name":"Book","description":"","image":"book"}]},
                     "alert":null,"goToPage":null,"values":{},"events":\#(Self.events)}
                    """#
            )
            try expect(
                await client.post("/products", form: "event=onSelected&product=Car"),
                is: #"""
                    {"sequence":5,"commands":[
                      {"sequence":5,"page":"products","command":"goToPage","name":"ProductDetail","values":{
                        "product":{"name":"Car","description":"A beautiful car","image":"car"}}}]}
                    """#
            )
            let product: Value = ["name": "Car", "description": "A beautiful car", "image": "car"]
            #expect(
                try await client.get("/products")["goToPage"]
                    == ["name": "ProductDetail", "values": ["product": product]]
            )
            #expect(try await client.get("/products")["values"] == ["product": "Car"])
        }
    }

    @Test(arguments: Transport.allCases)
    func `a product without description has no detail`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.demo())) { client in
            for (sequence, name) in [(1, "Book"), (2, "Bike")] {
                try expect(
                    await client.post("/products", form: "event=onSelected&product=\(name)"),
                    is: #"""
                        {"sequence":\#(sequence),"commands":[
                          {"sequence":\#(sequence),"page":"products","command":"showAlert",
                           "message":"Product without description","code":"products.withoutDescription"}]}
                        """#
                )
            }
            try expect(
                await client.get("/products"),
                is: #"""
                    {"page":"products","sequence":2,"rendered":{},"alert":{
                       "message":"Product without description","code":"products.withoutDescription"},
                     "goToPage":null,"values":{"product":"Bike"},"events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `without products an alert is shown`(transport: Transport) async throws {
        for pages in [Page.bundled(), Page.bundled(repository: FailingRepository())] {
            try await transport.play(UnderstudyService(pages: pages)) { client in
                try expect(await client.post("/products"), is: Self.unavailable)
                try expect(
                    await client.post("/products", form: "event=onSelected&product=Car"),
                    is: #"""
                        {"sequence":5,"commands":[
                          {"sequence":5,"page":"products","command":"showAlert","message":"No products available",
                           "code":"products.unavailable"}]}
                        """#
                )
            }
        }
    }

    @Test(arguments: Transport.allCases, [true, false])
    func `a repository may take its time`(transport: Transport, succeeds: Bool) async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        try await transport.play(service) { client in
            async let answering: Void = {
                await repository.waitUntilAsked()
                await repository.answer(with: succeeds ? .success([.car, .book]) : .failure(Outage()))
            }()
            let answer = try await client.post("/products")
            await answering
            #expect(try answer.json == json(succeeds ? Self.shown : Self.unavailable))
        }
    }

    @Test func `what is loading can be seen by nobody before its event has ended`() async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        let token = try #require(try await TestClient(service).post("/session")["token"]?.string)
        let headers: Headers = ["Authorization": "Bearer \(token)"]
        let posting = Task.immediate { await service.send(Request(.post, "/products", headers: headers)) }
        await repository.waitUntilAsked()
        let looking = Task.immediate { await service.send(Request(.get, "/products", headers: headers)) }
        await repository.answer(with: .success([]))
        try expect(await posting.value, is: Self.unavailable)
        #expect(try await looking.value["rendered"] == ["title": "Products", "loading": false])
    }
}
