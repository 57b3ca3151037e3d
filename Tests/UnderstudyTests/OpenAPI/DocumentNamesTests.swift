@testable import Understudy

struct DocumentNamesTests {
    @Test(arguments: [
        ("login", "Login"), ("gift-card", "GiftCard"), ("userID", "UserID"), ("a b", "AB"), ("2fa", "Page2fa"),
        ("", "Page"), ("-", "Page"), ("🦇", "Page"), ("_x", "X"),
    ])
    func `A type name has letters and digits, and begins with a capital letter`(text: String, name: String) {
        #expect(DocumentNames.typeName(text, "Page") == name)
    }

    @Test func `A page's operations and schemas are named after it`() {
        let names = DocumentNames([page("login")], used: []).pages[0]
        #expect(names.send == "sendLogin" && names.show == "showLogin")
        #expect(names.response == "LoginResponse" && names.screen == "LoginScreen")
        #expect(names.events.map(\.request) == ["Rung"] && names.events.map(\.values) == ["RungValues"])
    }

    @Test func `Events of the same name have their page's name as a prefix`() {
        let names = DocumentNames(Page.demo(), used: []).pages.flatMap(\.events).map(\.request)
        for name in ["LoginButtonPressed", "ProductsOnStart", "ProductOnStart", "SignupViewDidLoad", "OnSelected"] {
            #expect(names.contains(name), "\(name)")
        }
        #expect(!names.contains("OnStart") && !names.contains("ViewDidLoad"))
    }

    @Test func `Names that differ only in their case or punctuation are different`() {
        let names = DocumentNames([page("gift-card"), page("giftCard"), page("GIFT_card")], used: []).pages
        #expect(names.map(\.send) == ["sendGiftCard", "sendGiftCardPage", "sendGIFTCardPage2"])
        #expect(Set(names.map { $0.send.lowercased() }).count == 3)
        #expect(Set(names.flatMap(\.events).map { $0.request.lowercased() }).count == 3)
    }

    @Test func `A name cannot be that of a route or of another schema`() {
        let names = DocumentNames([page("history")], used: ["showHistory"]).pages[0]
        #expect(names.show == "showHistoryPage" && names.send == "sendHistoryPage")
        #expect(DocumentNames([page("bell")], used: ["rung"]).pages[0].events.map(\.request) == ["BellRung"])
    }

    func page(_ name: String) -> Page { Page(name) { _ in BellController() } }
}
