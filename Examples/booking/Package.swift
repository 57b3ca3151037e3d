// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "booking",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "understudy", path: "../..")],
    targets: [
        .executableTarget(
            name: "booking",
            dependencies: [
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyCommandLine", package: "understudy"),
            ],
            resources: [.embedInCode("templates/booking.mustache"), .embedInCode("assets/look.css")],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "BookingTests",
            dependencies: [
                "booking",
                .product(name: "BusinessLogic", package: "understudy"),
                .product(name: "Understudy", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
