// swift-tools-version:6.2
import PackageDescription

/// A peer for the load benchmark: the login page written for Hummingbird 2. It is a package of its own, so that
/// Understudy never depends on Hummingbird.
let package = Package(
    name: "hummingbird-login",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        // What Hummingbird itself is built on; it decides their versions.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "hummingbird-login",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/HummingbirdLogin"
        )
    ],
    swiftLanguageModes: [.v6]
)
