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

    // MARK: Rotation

    @Test func `while other programs move the file, each event is in one of the files once`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let errors = LockedValue(0)
        let log = try AuditFile(path: path) { _ in errors.change { $0 += 1 } }
        let (tasks, events) = (4, 2000)
        let (isRecording, rotations, recorded) = (LockedValue(true), LockedValue(0), LockedValue(0))
        async let rotating: Void = Task.detached {
            // At most so often: on a busy machine, there would be a million files.
            while isRecording.value, rotations.value < 200 {
                try FileManager.default.moveItem(atPath: path, toPath: "\(path).\(rotations.value)")
                try log.reopen()
                rotations.change { $0 += 1 }
            }
        }.value
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var number = 0
                    // Until some of them were recorded in between.
                    while number < events || rotations.value < 3 {
                        let client = ClientContext(requestID: "\(task)-\(number)")
                        log.record(AuditEvent(.login, at: Timestamp(milliseconds: 0), client: client))
                        number += 1
                        // Otherwise, the tasks that record could take all threads.
                        await Task.yield()
                    }
                    let count = number
                    recorded.change { $0 += count }
                }
            }
        }
        isRecording.change { $0 = false }
        try await rotating
        var lines: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            lines += text.split(separator: "\n").map(String.init)
        }
        #expect(lines.count == recorded.value)
        #expect(Set(lines).count == recorded.value)
        #expect(errors.value == 0)
    }

    @Test(arguments: [(true, AuditFile.Replacement.deleted), (false, .moved)])
    func `a file that is deleted or moved is created again at the next event, and reported once`(
        isDeleted: Bool,
        expected: AuditFile.Replacement
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let replacements = LockedValue<[AuditFile.Replacement]>([])
        let log = try AuditFile(
            path: path,
            onReplacement: { replacement in replacements.change { $0.append(replacement) } }
        )
        log.record(event)
        #expect(rename(path, path + ".1") == 0)
        if isDeleted { #expect(unlink(path + ".1") == 0) }
        log.record(event)
        log.record(event)
        #expect(replacements.value == [expected])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(event.json)\n\(event.json)\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file that reopen() follows is not reported, and a truncated file is continued`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let replacements = LockedValue(0)
        let log = try AuditFile(path: path, onReplacement: { _ in replacements.change { $0 += 1 } })
        #expect(rename(path, path + ".1") == 0)
        try log.reopen()
        #expect(FileManager.default.fileExists(atPath: path))
        log.record(event)
        #expect(truncate(path, 0) == 0)
        log.record(event)
        #expect(replacements.value == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(event.json)\n")
    }

    @Test func `a moved file gets the events while its path cannot be opened`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let errors = LockedValue<[String]>([])
        let log = try AuditFile(path: path) { error in errors.change { $0.append("\(error)") } }
        #expect(rename(path, path + ".1") == 0)
        #expect(symlink("target", path) == 0)
        #expect(throws: AuditFileError.self) { try log.reopen() }
        log.record(event)
        #expect(errors.value.count == 1)
        #expect(errors.value.first?.contains("it is a symbolic link") == true)
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "\(event.json)\n")
    }
}
