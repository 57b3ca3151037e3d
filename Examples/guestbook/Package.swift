// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "guestbook",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "guestbook",
            dependencies: [
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "GuestbookTests",
            dependencies: [
                "guestbook",
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
