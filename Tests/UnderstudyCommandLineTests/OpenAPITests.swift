import Testing

@Suite(.timeLimit(.minutes(1))) struct OpenAPITests {
    @Test func `the document is printed`() async throws {
        let result = try await Program.run("openapi")
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.errors == [])
    }
}
