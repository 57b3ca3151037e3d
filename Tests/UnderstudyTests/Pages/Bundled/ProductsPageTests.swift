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

    @Test(arguments: Stage.allCases)
    func `products are shown and lead to their detail`(stage: Stage) async throws {
        try await stage.play(UnderstudyService(pages: Page.demo())) { visitor in
            try expect(
                await visitor.get("/products"),
                is: #"""
                    {"page":"products","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            try expect(await visitor.post("/products"), is: Self.shown)
            try expect(
                await visitor.get("/products"),
                is: #"""
                    {"page":"products","sequence":4,"rendered":{"title":"Products","loading":false,"products":[
                       {"name":"Car","description":"A beautiful car","image":"car"},
                       {"name":"Book","description":"","image":"book"}]},
                     "alert":null,"goToPage":null,"values":{},"events":\#(Self.events)}
                    """#
            )
            try expect(
                await visitor.post("/products", form: "event=onSelected&product=Car"),
                is: #"""
                    {"sequence":5,"commands":[
                      {"sequence":5,"page":"products","command":"goToPage","name":"ProductDetail","values":{
                        "product":{"name":"Car","description":"A beautiful car","image":"car"}}}]}
                    """#
            )
            let product: Value = ["name": "Car", "description": "A beautiful car", "image": "car"]
            #expect(
                try await visitor.get("/products")["goToPage"]
                    == ["name": "ProductDetail", "values": ["product": product]]
            )
            #expect(try await visitor.get("/products")["values"] == ["product": "Car"])
        }
    }

    @Test(arguments: Stage.allCases)
    func `a product without description has no detail`(stage: Stage) async throws {
        try await stage.play(UnderstudyService(pages: Page.demo())) { visitor in
            for (sequence, name) in [(1, "Book"), (2, "Bike")] {
                try expect(
                    await visitor.post("/products", form: "event=onSelected&product=\(name)"),
                    is: #"""
                        {"sequence":\#(sequence),"commands":[
                          {"sequence":\#(sequence),"page":"products","command":"showAlert",
                           "message":"Product without description","code":"products.withoutDescription"}]}
                        """#
                )
            }
            try expect(
                await visitor.get("/products"),
                is: #"""
                    {"page":"products","sequence":2,"rendered":{},"alert":{
                       "message":"Product without description","code":"products.withoutDescription"},
                     "goToPage":null,"values":{"product":"Bike"},"events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: Stage.allCases)
    func `without products an alert is shown`(stage: Stage) async throws {
        for pages in [Page.bundled(), Page.bundled(repository: FailingRepository())] {
            try await stage.play(UnderstudyService(pages: pages)) { visitor in
                try expect(await visitor.post("/products"), is: Self.unavailable)
                try expect(
                    await visitor.post("/products", form: "event=onSelected&product=Car"),
                    is: #"""
                        {"sequence":5,"commands":[
                          {"sequence":5,"page":"products","command":"showAlert","message":"No products available",
                           "code":"products.unavailable"}]}
                        """#
                )
            }
        }
    }

    @Test(arguments: Stage.allCases, [true, false])
    func `a repository may take its time`(stage: Stage, succeeds: Bool) async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        try await stage.play(service) { visitor in
            async let answering: Void = {
                await repository.waitUntilAsked()
                await repository.answer(with: succeeds ? .success([.car, .book]) : .failure(Outage()))
            }()
            let answer = try await visitor.post("/products")
            await answering
            #expect(try answer.json == json(succeeds ? Self.shown : Self.unavailable))
        }
    }

    @Test func `what is loading can be seen by nobody before its event has ended`() async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        let token = try #require(try await Visitor(service).post("/session")["token"]?.string)
        let headers: Headers = ["Authorization": "Bearer \(token)"]
        let posting = Task.immediate { await service.send(Request(.post, "/products", headers: headers)) }
        await repository.waitUntilAsked()
        let looking = Task.immediate { await service.send(Request(.get, "/products", headers: headers)) }
        await repository.answer(with: .success([]))
        try expect(await posting.value, is: Self.unavailable)
        #expect(try await looking.value["rendered"] == ["title": "Products", "loading": false])
    }
}
