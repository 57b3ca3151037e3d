// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "registration",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "understudy", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "registration",
            dependencies: [
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "RegistrationTests",
            dependencies: [
                "registration",
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyReplay", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ],
            exclude: ["Recordings"],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
