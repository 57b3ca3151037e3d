// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "orders",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "orders",
            dependencies: [
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
            ],
            resources: [
                .embedInCode("Resources/Localizable.xcstrings"), .embedInCode("templates/order.mustache"),
                .embedInCode("templates/orders.mustache"), .embedInCode("assets/look.css"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "OrdersTests",
            dependencies: [
                "orders",
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
