import Addresses
import BusinessLogic
import Foundation
import Testing
import UnderstudyTesting

@testable import Accounts

@Suite struct AuditFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)")
    private let event = AuditEvent(
        .loginFailed,
        at: Timestamp(milliseconds: 1_234_567_890_123),
        account: AccountID("a"),
        reason: "wrongPassword",
        client: ClientContext(address: IPAddress("203.0.113.7"), requestID: "r-1")
    )

    @Test func `an event is a JSON object with the members that are known`() {
        let text =
            #"{"time":"2009-02-13T23:31:30.123Z","event":"loginFailed","account":"a","reason":"wrongPassword","#
            + #""address":"203.0.113.7","requestID":"r-1"}"#
        #expect(event.json == text)
        let least = AuditEvent(.logout, at: Timestamp(milliseconds: 0)).json
        #expect(least == #"{"time":"1970-01-01T00:00:00.000Z","event":"logout"}"#)
    }

    @Test func `each event is appended as a line to a file that only its owner can read`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let event = event
        for _ in 1...2 {
            let log = try AuditFile(path: path)
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...100 { group.addTask { log.record(event) } }
            }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 200)
        #expect(Set(lines) == [event.json[...]])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `the error for a file that cannot be written names the cause`() {
        let error = #expect(throws: AuditFileError.self) { try AuditFile(path: "/nonexistent/audit.jsonl") }
        #expect(
            error?.description == "cannot write the audit log '/nonexistent/audit.jsonl': No such file or directory"
        )
    }

    @Test func `a symbolic link is rejected, and its target stays unchanged`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appendingPathComponent("target").path
        let link = folder.appendingPathComponent("audit.jsonl").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let text = "cannot write the audit log '\(link)': it is a symbolic link; name the file itself"
        for _ in 1...2 {
            let error = #expect(throws: AuditFileError.self) { try AuditFile(path: link) }
            #expect(error?.description == text)
            // In the second round, the target of the link exists.
            _ = FileManager.default.createFile(atPath: target, contents: nil)
        }
        #expect(FileManager.default.contents(atPath: target) == Data())
    }

    @Test func `a device, a folder and a pipe without a reader are rejected immediately`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in ["/dev/null", pipe] {
            let error = #expect(throws: AuditFileError.self) { try AuditFile(path: path) }
            #expect(error?.reason.hasPrefix("it is not a regular file") == true)
        }
        #expect(throws: AuditFileError.self) { try AuditFile(path: folder.path) }
    }

    @Test func `a later error is passed to the callback`() async throws {
        let errors = LockedValue(0)
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let log = AuditFile(full) { _ in errors.change { $0 += 1 } }
        log.record(event)
        #expect(errors.value == 1)
    }
}
