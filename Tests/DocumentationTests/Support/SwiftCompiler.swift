import Foundation
import HTTPTestClient
import Testing

/// Compiles samples against the modules of this package, as far as is necessary to find every error. It uses the one
/// setting that the documentation recommends, and none of this package's own.
struct SwiftCompiler {
    let folder = TemporaryFolder()

    /// A compiler with modules that replace UIKit and SwiftUI.
    init() async throws {
        for module in ["UIKit", "SwiftUI"] {
            try await compile(["\(module).swift": "Tests/DocumentationTests/Screens/\(module).swift"], as: module)
        }
    }

    /// Compiles files to a module that later modules can import.
    ///
    /// - Parameters:
    ///   - files: the name of each file for the compiler, with its path in the checkout. `main.swift` may contain statements.
    ///   - module: the module's name. Another module with that name is replaced.
    ///   - place: what contains the files, for the message of a failure.
    func compile(_ files: [String: String], as module: String, of place: String = "") async throws {
        let sources = folder.url.appending(path: module)
        try? FileManager.default.removeItem(at: sources)
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        for (name, path) in files {
            let file = Checkout.root.appending(path: path).resolvingSymlinksInPath()
            try FileManager.default.copyItem(at: file, to: sources.appending(path: name))
        }
        var arguments = ["swiftc", "-swift-version", "6", "-emit-module", "-enable-testing", "-module-name", module]
        arguments += ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]
        if files["main.swift"] == nil { arguments.append("-parse-as-library") }
        arguments += ["-o", "\(folder.path)/\(module).swiftmodule"]
        arguments += ["-I", folder.path, "-I", Self.products.appending(path: "Modules").path]
        for map in Self.moduleMaps { arguments += ["-Xcc", "-fmodule-map-file=" + map] }
        arguments += files.keys.map { sources.appending(path: $0).path }
        let output = "\(folder.path)/\(module).output"
        let command = arguments.map { "'\($0)'" }.joined(separator: " ") + " >'\(output)' 2>&1"
        let ending = try await ChildProcess("/bin/sh", ["-c", command]).end()
        let message = try String(contentsOfFile: output, encoding: .utf8)
        #expect(ending == .exit(0) && !message.contains("warning:"), "\(place)\n\(message)")
    }

    /// The folder of the build to which this test belongs: `.build/x86_64-unknown-linux-gnu/debug`.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The maps of the C modules that the Swift modules import.
    static let moduleMaps = {
        let own = [
            "Argon2", "Crypt", "Curl", "Fido2", "GnuTLS", "Oath", "QRencode", "Resources/include", "SQLite", "Sodium",
            "Unistring", "YAML", "Zlib",
        ]
        let folders = (["CMicroHTTPD"] + own.map { "Sources/C" + $0 }).map { Checkout.root.appending(path: $0) }
        return folders.map { $0.appending(path: "module.modulemap").path }
    }()
}
