// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "web",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "web",
            dependencies: [
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
            ],
            // The template, the style and the script become a part of the program.
            resources: [
                .embedInCode("templates/wishes.mustache"), .embedInCode("assets/look.css"),
                .embedInCode("assets/wish-count.js"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "web",
                .product(name: "HTMLPages", package: "understudy"),
                .product(name: "HTTPMessages", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
