// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "expenses",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "expenses",
            dependencies: [
                .product(name: "Accounts", package: "understudy"),
                .product(name: "BundledControllers", package: "understudy"),
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
            ],
            resources: [
                .embedInCode("Resources/Localizable.xcstrings"), .embedInCode("templates/expenses.mustache"),
                .embedInCode("templates/approvals.mustache"), .embedInCode("assets/look.css"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "ExpensesTests",
            dependencies: [
                "expenses",
                .product(name: "Accounts", package: "understudy"),
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
