import BundledPages
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Goes to pages, some of which do not exist or expect other values.
private final class SignpostController: StatelessController, BusinessLogicController {
    static let number = Field<Int>("number")
    static let target = Destination<Int>("target", number)
    static let wordy = Destination<String>("Wordy", page: "target", Field<String>("number"))
    static let misspelt = Destination<Int>("Misspelt", page: "target", Field<Int>("nubmer"))
    static let elsewhere = Destination<Void>("elsewhere")
    static let settings = Destination<Void>.ofClient("settings")

    static let events: EventTable<SignpostController> = [
        .default("stay") { _ in },
        .event("go", gives: [.goes(to: target)]) { $0.goToPage(target, 7) },
        .event("goWithText", gives: [.goes(to: wordy)]) { $0.goToPage(wordy, "seven") },
        .event("goMisspelt", gives: [.goes(to: misspelt)]) { $0.goToPage(misspelt, 7) },
        .event("goElsewhere", gives: [.goes(to: elsewhere)]) { $0.goToPage(elsewhere) },
        .event("goToSettings", gives: [.goes(to: settings)]) { $0.goToPage(settings) },
    ]

    static let page = Page("signpost") { _ in SignpostController() }
}

private final class TargetController: StatelessController, BusinessLogicController {
    static let shown = Output<Int>("shown")

    static let events: EventTable<TargetController> = [
        .default("opened", reads: SignpostController.number, gives: [.renders(shown)]) { $0.render(shown, $1) }
    ]

    static let page = Page("target") { _ in TargetController() }
}

@Suite struct FollowDestinationTests {
    private let pages = [SignpostController.page, TargetController.page]

    @Test(arguments: Rehearsal.allCases)
    func `the destination receives the values`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages) { screens in
            try await screens["signpost"].send("go")
            screens["signpost"].expect(.goToPage(SignpostController.target, 7))
            let screen = try await screens.followDestination(of: SignpostController.page)
            screen.expect(TargetController.shown, 7)
            #expect(screen === screens["target"])
            try await screens["signpost"].send("go")
            screens["signpost"].expect(.goToPage(SignpostController.target, 7))
            try await screens.followDestination(of: SignpostController.page).expect(TargetController.shown, 7)
        }
    }

    @Test(arguments: [
        ("stay", "The last event of the page 'signpost' did not go to another page."),
        ("goElsewhere", #"'elsewhere' is not a page of the scenario: ["signpost", "target"]."#),
        ("goToSettings", #"'settings' is not a page of the scenario: ["signpost", "target"]."#),
        ("goMisspelt", "The event 'opened' of the page 'target' does not read the value 'nubmer'."),
        ("goWithText", "do not fit the page 'target'"),
    ])
    func `a destination that cannot be followed fails the test at that line`(event: String, text: String) async throws {
        for rehearsal in Rehearsal.allCases {
            try await rehearsal.run(pages) { screens in
                screens["signpost"].exhaustivity = .off
                try await screens["signpost"].send(Event(event))
                let line = #line + 2
                try await withKnownIssue {
                    let screen = try await screens.followDestination(of: SignpostController.page)
                    #expect(screen === screens["signpost"])
                } matching: {
                    $0.comments.first?.rawValue.contains(text) == true && $0.sourceLocation?.line == line
                }
            }
        }
    }

    // MARK: The bundled pages

    @Test(arguments: Rehearsal.allCases)
    func `the bundled pages lead from the login to each page, and back home`(rehearsal: Rehearsal) async throws {
        let pages = Page.demo()
        let named = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0) })
        let login = try #require(named["login"])
        let home = try #require(named["home"])
        let products = try #require(named["products"])
        let email = try #require(named["email"])
        try await rehearsal.run(pages) { screens in
            try await screens[login].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screens[login].expect(.goToPage(.home))
            try await screens.followDestination(of: login)
            screens[home].expect(HomeBusinessLogicController.username, "batman")

            try await screens[home].send("productsButtonPressed")
            screens[home].expect(.goToPage(.products))
            try await screens.followDestination(of: home)
            screens[products].expect(ProductsPresenter.title, "Products")
            screens[products].expect(ProductsPresenter.loading, true)
            screens[products].expect(ProductsPresenter.products, Self.all)
            screens[products].expect(ProductsPresenter.loading, false)
            try await screens[products].send("onSelected", ["product": "Car"])
            screens[products].expect(.goToPage(.product, "Car"))
            let product = try await screens.followDestination(of: products)
            product.expect(ProductDetailPresenter.title, "Product")
            product.expect(ProductDetailPresenter.shownProduct, Self.all[0])

            try await screens[home].send("registerButtonPressed")
            screens[home].expect(.goToPage(.register))
            let register = try await screens.followDestination(of: home)
            try await register.send("textFieldDidEndEditing", ["userID": "012345678912"])
            register.expect(.render("userID", "012345678912"), .render("errorMessage", nil))

            try await screens[home].send("emailButtonPressed")
            screens[home].expect(.goToPage(.email))
            try await screens.followDestination(of: home)
            try await screens[email].send("emailChanged", ["email": "lisa@rules.example"])
            screens[email].expect(EmailBusinessLogicController.saveButtonEnabled, true)
            try await screens[email].send("saveButtonPressed")
            screens[email].expect(.goToPage(.advance))
            try await screens.followDestination(of: email)
            screens[home].expect(HomeBusinessLogicController.username, "batman")

            try await screens[home].send("logoutButtonPressed")
            screens[home].expect(.goToPage(.login))
            let again = try await screens.followDestination(of: home)
            #expect(again === screens[login])
            try await screens[home].send("viewDidLoad")
            screens[home].expect(.goToPage(.login))
        }
    }

    private static let all = [
        Product(name: "Car", description: "A beautiful car", image: "car"),
        Product(name: "Book", description: "", image: "book"),
    ]

    @Test func `every destination of the bundled pages is a served page or a screen of the client`() {
        let pages = Page.bundled()
        for page in pages {
            for case .goToPage(let destination) in page.events.flatMap(\.gives) {
                guard let name = destination.page else { continue }
                let target = pages.first { $0.name == name }
                #expect(target != nil, "\(page.name) goes to \(name)")
                let reads = target?.events.first { $0.isDefault }?.reads ?? []
                #expect(destination.fields.allSatisfy(reads.contains), "\(page.name) goes to \(name)")
            }
        }
    }
}
