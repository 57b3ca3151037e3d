import BundledPages
import Foundation
import Testing

@testable import Understudy
@testable import UnderstudySessions

/// A directory for recordings, which is deleted with this object.
final class RecordingDirectory {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A service that records its sessions.
    func service(_ pages: [Page] = Page.demo(), isRedacted: Bool = false) throws -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.recording = try RecordingFolder(url.path, isRedacted: isRedacted)
        return UnderstudyService(pages: pages, configuration: configuration)
    }

    /// The recorded files.
    var files: [URL] {
        get throws { try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil) }
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
    var recording: Recording {
        get throws { try Recording(Array(text.utf8)) }
    }
}
