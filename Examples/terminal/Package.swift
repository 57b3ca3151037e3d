// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "terminal",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "terminal",
            dependencies: [
                .product(name: "BundledControllers", package: "understudy"),
                .product(name: "BusinessLogic", package: "understudy"),
            ]
        ),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "terminal",
                .product(name: "BundledControllers", package: "understudy"),
                .product(name: "BusinessLogic", package: "understudy"),
            ]
        ),
    ]
)
