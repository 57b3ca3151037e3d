// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "hummingbird-app",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "understudy", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "BundledPages", package: "understudy"),
                .product(name: "HTTPMessages", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
        .testTarget(name: "AppTests", dependencies: ["App"]),
    ]
)
