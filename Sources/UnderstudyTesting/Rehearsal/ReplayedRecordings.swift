#if canImport(Understudy)
    internal import Foundation
    internal import Understudy
    internal import UnderstudyReplay

    /// The recordings of a rehearsal's sessions, in a folder that exists as long as this object.
    final class ReplayedRecordings {
        let folder: RecordingFolder

        /// Creates an empty folder for temporary files.
        init() throws(RecordingError) {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("rehearsal-\(UUID().uuidString)")
                .path
            folder = try RecordingFolder(path)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder.path)
        }

        /// Each event that does not give what was recorded, or cannot be compared, fails the test.
        func replay(on pages: [Page], _ origin: CallSite) async throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                let file = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
                let recording = try Recording(Array(Data(contentsOf: file)))
                for finding in try await recording.findings(on: pages) {
                    origin.fail("In the replay of the recorded session, \(finding)")
                }
            }
        }
    }
#endif
