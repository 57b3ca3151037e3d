/// A directory for recordings, which is deleted with this object.
final class RecordingDirectory {
    let folder = TemporaryFolder()

    /// A service that records its sessions.
    func service(
        _ pages: [Page] = Page.demo(),
        isRedacted: Bool = false,
        logger: Logger = LogCapture().logger,
        configure: ServiceChange = { _ in }
    ) throws -> UnderstudyService {
        try UnderstudyService(pages: pages, logger: logger) {
            configure(&$0)
            $0.recording = try RecordingFolder(folder.path, isRedacted: isRedacted)
        }
    }

    /// The recording of what a client with a token does.
    @discardableResult
    func record(
        _ pages: [Page] = Page.demo(),
        isRedacted: Bool = false,
        _ scenario: (TestClient) async throws -> Void
    ) async throws -> Recording {
        try await scenario(TestClient.withToken(service(pages, isRedacted: isRedacted)))
        return try recording
    }

    /// The recorded files.
    var files: [URL] {
        get throws { try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) }
    }

    /// The text of the only file.
    var text: String {
        get throws {
            let files = try files
            #expect(files.count == 1)
            return try String(contentsOf: #require(files.first), encoding: .utf8)
        }
    }

    /// The only recording.
    var recording: Recording { get throws { try Recording(text.bytes) } }
}
