/// The files of a new package with one page.
struct PackageTemplate {
    /// Where the package finds this one.
    enum Source: Equatable {
        /// A local checkout, as an absolute path.
        case path(String)
        /// A Git repository, with the oldest version that the package accepts.
        case url(String, version: String)
    }

    let name: PackageName
    let source: Source

    /// The files with their paths in the package.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            (".gitignore", ".build/\n"),
            ("Sources/\(name.module)/\(name.type)Controller.swift", controller),
            ("Sources/\(name.module)/Pages.swift", pages),
            ("Sources/\(name.module)/main.swift", main),
            ("Tests/\(name.module)Tests/\(name.type)ControllerTests.swift", test),
        ]
    }

    /// The package's declaration of its dependency, and the name by which its targets refer to it.
    private var dependency: (declaration: String, name: String) {
        switch source {
        case .path(let path):
            return (".package(name: \"understudy\", path: \(path.debugDescription))", "understudy")
        case .url(let url, let version):
            let last = url.split(separator: "/").last ?? ""
            let name = String(last.hasSuffix(".git") ? last.dropLast(4) : last)
            return (".package(url: \(url.debugDescription), from: \(version.debugDescription))", name)
        }
    }

    private var manifest: String {
        let (declaration, package) = dependency
        return """
            // swift-tools-version:6.2
            import PackageDescription

            let package = Package(
                name: "\(name.module)",
                platforms: [.macOS(.v13)],
                dependencies: [
                    \(declaration)
                ],
                targets: [
                    .executableTarget(
                        name: "\(name.module)",
                        dependencies: [
                            .product(name: "BusinessLogic", package: \(package.debugDescription)),
                            .product(name: "Understudy", package: \(package.debugDescription)),
                            .product(name: "UnderstudyCommandLine", package: \(package.debugDescription)),
                        ],
                        swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
                    ),
                    .testTarget(
                        name: "\(name.module)Tests",
                        dependencies: [
                            "\(name.module)",
                            .product(name: "BusinessLogic", package: \(package.debugDescription)),
                            .product(name: "Understudy", package: \(package.debugDescription)),
                            .product(name: "UnderstudyTesting", package: \(package.debugDescription)),
                        ]
                    ),
                ]
            )

            """
    }

    private var controller: String {
        """
        import BusinessLogic

        /// Greets each guest by name, and counts them.
        final class \(name.type)Controller: BusinessLogicController {
            static let name = Field<String>("name", maximumLength: 100)
            static let newsletter = Field<Bool>("newsletter", whenAbsent: false)
            static let greeting = Output<String>("greeting")

            static let events: EventTable<\(name.type)Controller> = [
                .default(
                    "signButtonPressed",
                    reads: name,
                    newsletter,
                    gives: [.renders(greeting), .alerts(.noName)],
                    examples: [["name": "Lisa", "newsletter": true], ["name": ""]]
                ) { $0.sign(name: $1, newsletter: $2) }
            ]

            weak var controllable: (any Controllable)?
            /// The number of guests.
            var state = 0

            private func sign(name: String, newsletter: Bool) {
                guard !name.isEmpty else { return showAlert(.noName) }
                state += 1
                let news = newsletter ? ", and you will hear from us" : ""
                render(Self.greeting, "Welcome \\(name), you are guest \\(state)\\(news)")
            }
        }

        extension Message {
            /// The guest has not entered a name.
            static let noName = Message(code: "\(name.page).noName", text: "Please enter your name", field: "name")
        }

        """
    }

    private var pages: String {
        """
        import Understudy

        /// The pages that the program serves.
        let pages = [Page("\(name.page)") { _ in \(name.type)Controller() }]

        """
    }

    private var main: String {
        """
        import UnderstudyCommandLine

        try await UnderstudyCommandLine.run(
            title: "\(name.type)",
            version: "0.1.0",
            pagesInTests: PagesInTests("pages", testableImport: "\(name.module)")
        ) { _ in pages }

        """
    }

    private var test: String {
        """
        import BusinessLogic
        import Testing
        import Understudy
        import UnderstudyTesting

        @testable import \(name.module)

        @Test(arguments: Rehearsal.allCases)
        func `only guests with a name are greeted and counted`(rehearsal: Rehearsal) async throws {
            try await rehearsal.run(pages) { screens in
                let screen = screens["\(name.page)"]
                try await screen.send("signButtonPressed", ["name": "Lisa"])
                screen.expect(\(name.type)Controller.greeting, "Welcome Lisa, you are guest 1")
                try await screen.send("signButtonPressed", ["name": ""])
                screen.expect(.showAlert(.noName))
                try await screen.send("signButtonPressed", ["name": "Homer", "newsletter": true])
                screen.expect(\(name.type)Controller.greeting, "Welcome Homer, you are guest 2, and you will hear from us")
            }
        }

        """
    }
}
