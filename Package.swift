// swift-tools-version:6.2
import PackageDescription

/// The settings of every target, each with the proposal that explains it.
let settings: [SwiftSetting] = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0480-swiftpm-warning-control.md
    .treatAllWarnings(as: .error),
]

/// The commit that is built, which `understudy --version` prints: scripts/build sets it. `Context.gitInformation` does not change
/// with the next commit, since SwiftPM keeps what a manifest has resulted in.
let commit = Context.environment["UNDERSTUDY_COMMIT"] ?? ""

let package = Package(
    name: "understudy",
    // A phone imports BusinessLogic, BundledControllers, ScreenObservation and UnderstudyClient; the engine is for Linux.
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "Addresses", targets: ["Addresses"]),
        .library(name: "BusinessLogic", targets: ["BusinessLogic"]),
        .library(name: "BundledControllers", targets: ["BundledControllers"]),
        .library(name: "BundledPages", targets: ["BundledPages"]),
        .library(name: "Accounts", targets: ["Accounts"]),
        .library(name: "AccountsSQLite", targets: ["AccountsSQLite"]),
        .library(name: "AccountsPostgreSQL", targets: ["AccountsPostgreSQL"]),
        .library(name: "RateLimiting", targets: ["RateLimiting"]),
        .library(name: "ScreenObservation", targets: ["ScreenObservation"]),
        .library(name: "SessionStorage", targets: ["SessionStorage"]),
        .library(name: "HTMLPages", targets: ["HTMLPages"]),
        .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
        .library(name: "MicroHTTP", targets: ["MicroHTTP"]),
        .library(name: "Understudy", targets: ["Understudy"]),
        .library(name: "UnderstudyPages", targets: ["UnderstudyPages"]),
        .library(name: "UnderstudyReplay", targets: ["UnderstudyReplay"]),
        .library(name: "UnderstudyClient", targets: ["UnderstudyClient"]),
        .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
        .library(name: "UnderstudyCommandLine", targets: ["UnderstudyCommandLine"]),
        .executable(name: "understudy", targets: ["UnderstudyCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
        .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CMicroHTTPD",
            path: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .systemLibrary(
            name: "CGnuTLS",
            pkgConfig: "gnutls",
            providers: [.apt(["libgnutls28-dev"])]
        ),
        .systemLibrary(
            name: "CArgon2",
            pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"])]
        ),
        .systemLibrary(name: "CCrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CFido2",
            pkgConfig: "libfido2",
            providers: [.apt(["libfido2-dev"])]
        ),
        .systemLibrary(name: "COath", pkgConfig: "liboath", providers: [.apt(["liboath-dev"])]),
        .systemLibrary(
            name: "CQRencode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "Addresses", swiftSettings: settings),
        .target(name: "BusinessLogic", dependencies: ["Addresses"], swiftSettings: settings),
        .target(name: "BundledControllers", dependencies: ["BusinessLogic"], swiftSettings: settings),
        .target(name: "ScreenObservation", dependencies: ["BusinessLogic"], swiftSettings: settings),
        .target(name: "RateLimiting", dependencies: ["Addresses", "BusinessLogic"], swiftSettings: settings),
        .target(name: "SessionStorage", dependencies: ["BusinessLogic"], swiftSettings: settings),
        .target(
            name: "Accounts",
            dependencies: [
                "Addresses", "BusinessLogic", "BundledControllers", "RateLimiting", "HTTPMessages", "SessionStorage",
                "ThreadExecutors",
                "CArgon2", "CCrypt", "CCurl", "CFido2", "CGnuTLS", "COath", "CQRencode", "CResources", "CSodium",
                "CUnistring",
            ],
            exclude: ["Passwords/common-passwords.txt"],
            swiftSettings: settings
        ),
        .target(
            name: "AccountsDatabase",
            dependencies: [
                "BusinessLogic", "BundledControllers", "Accounts", "HTTPMessages", "SessionStorage",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "AccountsSQLite",
            dependencies: [
                "BusinessLogic", "BundledControllers", "Accounts", "AccountsDatabase", "SessionStorage",
                "ThreadExecutors", "CSQLite",
            ],
            // In the program itself, which is one file.
            resources: [.embedInCode("Migrations")],
            swiftSettings: settings
        ),
        .target(
            name: "AccountsPostgreSQL",
            dependencies: [
                "BusinessLogic", "BundledControllers", "Accounts", "AccountsDatabase", "HTTPMessages",
                "SessionStorage", "ThreadExecutors", "CPostgreSQL",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // In the program itself, which is one file.
            resources: [.embedInCode("Migrations")],
            swiftSettings: settings
        ),
        // Of pthreads, so for Linux only.
        .target(name: "ThreadExecutors", swiftSettings: settings),
        .target(
            name: "HTTPMessages",
            dependencies: [
                "Addresses",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MicroHTTP",
            dependencies: ["Addresses", "CMicroHTTPD", "HTTPMessages", "ThreadExecutors"],
            swiftSettings: settings
        ),
        .target(
            name: "UnderstudyPages",
            dependencies: ["Addresses", "BusinessLogic", "HTTPMessages", "RateLimiting"],
            resources: [
                .embedInCode("Problems/problems.txt"), .embedInCode("Translation/Localizable.xcstrings"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "UnderstudySessions",
            dependencies: [
                "Addresses", "BusinessLogic", "CSodium", "HTTPMessages", "SessionStorage",
                "UnderstudyPages",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Understudy",
            dependencies: [
                "Addresses",

                "BusinessLogic",
                "CResources",
                "CYAML",
                "CZlib",
                "HTTPMessages",
                "MicroHTTP",
                "RateLimiting",
                "SessionStorage",
                "UnderstudyPages",
                "UnderstudySessions",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["OpenAPI/document.yaml"],
            resources: [.embedInCode("Observability/metrics.txt")],
            swiftSettings: settings
        ),
        .target(
            name: "UnderstudyReplay",
            dependencies: ["BusinessLogic", "UnderstudyPages", "UnderstudySessions"],
            swiftSettings: settings
        ),
        .target(
            name: "BundledPages",
            dependencies: ["BusinessLogic", "BundledControllers", "UnderstudyPages"],
            // In the program itself, which is one file.
            resources: [.embedInCode("Localizable.xcstrings")],
            swiftSettings: settings
        ),
        .target(
            name: "HTMLPages",
            dependencies: ["BusinessLogic", "CResources", "HTTPMessages", "Understudy"],
            exclude: ["Resources"],
            swiftSettings: settings
        ),
        .target(name: "UnderstudyClient", dependencies: ["BusinessLogic"], swiftSettings: settings),
        .target(
            name: "UnderstudyTesting",
            dependencies: [
                "BusinessLogic",
                .target(name: "HTTPMessages", condition: .when(platforms: [.linux])),
                .target(name: "MicroHTTP", condition: .when(platforms: [.linux])),
                .target(name: "Understudy", condition: .when(platforms: [.linux])),
                .target(name: "UnderstudyClient", condition: .when(platforms: [.linux])),
                .target(name: "UnderstudyReplay", condition: .when(platforms: [.linux])),
                .product(name: "CustomDump", package: "swift-custom-dump"),
                .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
                .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
            ],
            swiftSettings: settings
        ),
        // The large files in the program. Small ones are embedded by SwiftPM.
        .target(name: "CResources"),
        // Apart, so that a new commit compiles nothing else.
        .target(name: "CBuild", cSettings: [.define("CBUILD_COMMIT", to: "\"\(commit)\"")]),
        .target(
            name: "UnderstudyCommandLine",
            dependencies: [
                "Addresses",
                "BusinessLogic",
                "BundledControllers",
                "BundledPages",
                "CBuild",
                "CCurl",
                "Accounts",
                "AccountsDatabase",
                "AccountsPostgreSQL",
                "AccountsSQLite",
                "HTMLPages",
                "HTTPMessages",
                "MicroHTTP",
                "RateLimiting",
                "SessionStorage",
                "ThreadExecutors",
                "Understudy",
                "UnderstudyPages",
                "UnderstudyReplay",
                "UnderstudySessions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            // In the program itself, which is one file.
            resources: [
                .embedInCode("Commands/commands.txt"), .embedInCode("NewPackage/Template"),
                .embedInCode("OperatorPages/Resources"),
                .embedInCode("Server/metrics.txt"), .embedInCode("Settings/settings.txt"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "UnderstudyCommand",
            dependencies: ["BundledPages", "Understudy", "UnderstudyCommandLine"],
            swiftSettings: settings
        ),
        .target(name: "HTTPTestClient", path: "Tests/HTTPTestClient", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "Accounts", "AccountsSQLite", "Addresses", "BundledControllers", "BundledPages", "BusinessLogic",
                "CSodium", "CZlib", "HTTPMessages", "HTTPTestClient", "MicroHTTP", "UnderstudyTesting",
                "SessionStorage", "Understudy", "UnderstudyPages", "UnderstudySessions",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(name: "PostgreSQLTestSupport", path: "Tests/PostgreSQLTestSupport", swiftSettings: settings),
        .testTarget(name: "AddressesTests", dependencies: ["Addresses"], swiftSettings: settings),
        .testTarget(
            name: "RateLimitingTests",
            dependencies: ["Addresses", "BusinessLogic", "RateLimiting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BusinessLogicTests",
            dependencies: ["BusinessLogic", "UnderstudyTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BundledControllersTests",
            dependencies: ["Addresses", "BusinessLogic", "BundledControllers", "UnderstudyTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "AccountStoreSuite",
            dependencies: [
                "BundledControllers", "BundledPages", "BusinessLogic", "Accounts", "AccountsDatabase", "HTTPMessages",
                "TestSupport", "UnderstudyTesting", "SessionStorage", "Understudy",
            ],
            path: "Tests/AccountStoreSuite",
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "Addresses", "BundledControllers", "BusinessLogic", "Accounts", "AccountsSQLite", "RateLimiting",
                "SessionStorage", "TestSupport", "HTTPTestClient", "MailTestSupport",
                "UnderstudyTesting", "AccountStoreSuite",
            ],
            // Read by the tests.
            exclude: ["WebAuthn/vectors.json"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccountsSQLiteTests",
            dependencies: [
                "BundledControllers", "BundledPages", "BusinessLogic", "Accounts", "AccountsDatabase", "AccountsSQLite",
                "AccountStoreSuite", "HTTPMessages", "SessionStorage", "Understudy", "TestSupport", "UnderstudyTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccountsPostgreSQLTests",
            dependencies: [
                "BundledControllers", "BusinessLogic", "Accounts", "AccountsDatabase", "AccountsPostgreSQL",
                "AccountsSQLite", "AccountStoreSuite", "HTTPMessages", "PostgreSQLTestSupport", "SessionStorage",
                "TestSupport", "UnderstudyTesting",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MailTestSupport",
            dependencies: ["HTTPTestClient"],
            path: "Tests/MailTestSupport",
            // Run by the tests.
            exclude: ["smtp-server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPMessagesTests",
            dependencies: ["HTTPMessages"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MicroHTTPTests",
            dependencies: [
                "Addresses", "CMicroHTTPD", "HTTPMessages", "HTTPTestClient", "MicroHTTP", "TestSupport",
                "ThreadExecutors", "UnderstudyTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTMLPagesTests",
            dependencies: [
                "Addresses", "BundledControllers", "BundledPages", "BusinessLogic", "HTMLPages", "HTTPTestClient",
                "HTTPMessages", "RateLimiting", "SessionStorage",
                "TestSupport",
                "Understudy", "UnderstudyCommandLine",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OperatorPagesTests",
            dependencies: [
                "Accounts", "AccountsDatabase", "AccountsSQLite", "Addresses", "BusinessLogic", "UnderstudyTesting",
                "SessionStorage", "TestSupport", "Understudy", "UnderstudyCommandLine", "UnderstudyPages",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyPagesTests",
            dependencies: ["BusinessLogic", "HTTPMessages", "UnderstudyTesting", "TestSupport", "UnderstudyPages"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudySessionsTests",
            dependencies: [
                "BusinessLogic", "HTTPMessages", "SessionStorage", "TestSupport", "UnderstudyPages",
                "UnderstudySessions", "UnderstudyTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyReplayTests",
            dependencies: [
                "BundledControllers", "BundledPages", "BusinessLogic", "TestSupport", "UnderstudyPages",
                "UnderstudyReplay", "UnderstudySessions",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyTests",
            dependencies: [
                "AccountStoreSuite", "Addresses", "BundledControllers", "BundledPages", "BusinessLogic", "HTTPMessages",
                "MicroHTTP",
                "RateLimiting", "SessionStorage", "Understudy", "UnderstudyReplay", "UnderstudyTesting",
                "HTTPTestClient",

                "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyClientTests",
            dependencies: [
                "Accounts", "BundledControllers", "BundledPages", "BusinessLogic", "MicroHTTP", "Understudy",
                "UnderstudyClient", "UnderstudyTesting", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ScreenObservationTests",
            dependencies: [
                "BundledControllers", "BundledPages", "BusinessLogic", "ScreenObservation", "TestSupport", "Understudy",
                "UnderstudyClient", "UnderstudyTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyTestingTests",
            dependencies: [
                "Addresses", "BundledControllers", "BundledPages", "BusinessLogic", "TestSupport", "Understudy",
                "UnderstudyTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Addresses", "BundledControllers", "BundledPages", "BusinessLogic", "RateLimiting", "Accounts",
                "AccountsSQLite", "HTMLPages", "SessionStorage", "HTTPMessages", "MicroHTTP", "Understudy",
                "UnderstudyReplay",
                "UnderstudyClient", "UnderstudyCommandLine", "UnderstudyTesting", "HTTPTestClient",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // Compiled by the tests, together with modules that replace UIKit and SwiftUI.
            exclude: ["Screens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UnderstudyCommandLineTests",
            dependencies: [
                "Accounts", "AccountsDatabase", "AccountsPostgreSQL", "AccountsSQLite", "Addresses",
                "BundledControllers", "BundledPages",
                "BusinessLogic", "HTMLPages", "HTTPMessages", "MicroHTTP",
                "RateLimiting", "SessionStorage", "TestSupport", "Understudy", "UnderstudyTesting",
                "UnderstudyCommandLine", "UnderstudyCommand", "UnderstudyPages", "UnderstudyReplay", "HTTPTestClient",
                "MailTestSupport", "PostgreSQLTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // What other systems have written, read by the tests.
            exclude: ["Import/Exports"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
