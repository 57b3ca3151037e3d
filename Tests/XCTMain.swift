import Testing

/// Starts the tests. Without this file, SwiftPM looks for tests of XCTest in the index for editors, which takes a quarter of the build.
@main struct TestProgram {
    static func main() async {
        // `swift test` first asks for the tests of XCTest, and would otherwise run all tests twice.
        if CommandLine.arguments.contains("--dump-tests-json") { return print(#"{"tests":[]}"#) }
        // What SwiftPM's own program calls.
        await Testing.__swiftPMEntryPoint() as Never
    }
}
