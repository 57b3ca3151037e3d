import BundledControllers
import BundledPages
import BusinessLogic
import Testing

@testable import Understudy

@Suite struct ProductPageTests {
    private static let events = #"""
        [{"event":"onStart","default":true,"reads":["product"],"secret":[]}]
        """#

    @Test(arguments: Transport.allCases)
    func `a product is shown`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.demo())) { client in
            try expect(
                await client.get("/product"),
                is: #"""
                    {"page":"product","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            try expect(
                await client.post("/product", form: "product=Book"),
                is: #"""
                    {"sequence":2,"commands":[
                      {"sequence":1,"page":"product","command":"render","key":"title","value":"Product"},
                      {"sequence":2,"page":"product","command":"render","key":"product",
                       "value":{"name":"Book","description":"","image":"book"}}]}
                    """#
            )
            try expect(
                await client.get("/product"),
                is: #"""
                    {"page":"product","sequence":2,"rendered":{"title":"Product",
                       "product":{"name":"Book","description":"","image":"book"}},
                     "alert":null,"goToPage":null,"values":{"product":"Book"},"events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `what is no product shows an alert`(transport: Transport) async throws {
        for pages in [Page.demo(), Page.bundled(), Page.bundled(repository: FailingRepository())] {
            try await transport.play(UnderstudyService(pages: pages)) { client in
                try expect(
                    await client.post("/product", #"{"product":"car"}"#),
                    is: #"""
                        {"sequence":2,"commands":[
                          {"sequence":1,"page":"product","command":"render","key":"title","value":"Product"},
                          {"sequence":2,"page":"product","command":"showAlert","message":"Product not valid",
                           "code":"product.notValid"}]}
                        """#
                )
                #expect(
                    try await client.get("/product")["alert"]
                        == ["message": "Product not valid", "code": "product.notValid"]
                )
            }
        }
    }
}
