import Testing

/// Starts the tests. Without this file, SwiftPM looks for tests of XCTest in the index for editors, which takes a quarter of the build.
@main struct TestProgram {
    static func main() async {
        // What SwiftPM's own program calls.
        await Testing.__swiftPMEntryPoint() as Never
    }
}
