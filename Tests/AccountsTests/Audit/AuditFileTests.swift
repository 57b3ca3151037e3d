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
        var change = AuditEvent(.accountChanged, at: Timestamp(milliseconds: 0))
        change.operatorName = "a \"b\"\\\n"
        #expect(change.json.hasSuffix(#","event":"accountChanged","operator":"a \"b\"\\\n"}"#))
        let least = AuditEvent(.logout, at: Timestamp(milliseconds: 0)).json
        #expect(least == #"{"time":"1970-01-01T00:00:00.000Z","event":"logout"}"#)
    }

    /// The chain of files, whose lines must all be valid.
    private func check(_ paths: String...) throws -> AuditChain {
        var chain = AuditChain()
        for path in paths {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            for line in data.split(separator: UInt8(ascii: "\n")) { #expect(chain.add(Array(line)) == nil) }
        }
        return chain
    }

    /// The records of a file without their chain.
    private func events(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map { String($0).replacing(/,"previous":"[0-9a-f]{64}"/, with: "") }
    }

    @Test func `each event is appended as a line to a file that only its owner can read`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let event = event
        for _ in 1...2 {
            let log = try AuditFile(path: path)
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...100 { group.addTask { await log.record(event) } }
            }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 200)
        #expect(lines.first.map(String.init) == event.json)
        #expect(lines.allSatisfy { $0.hasPrefix(event.json.dropLast()) })
        #expect(try check(path).validCount == 200)
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
        await log.record(event)
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
                        await log.record(AuditEvent(.login, at: Timestamp(milliseconds: 0), client: client))
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
        let files = (0..<rotations.value).map { "\(path).\($0)" } + [path]
        var chain = AuditChain()
        for file in files.filter(FileManager.default.fileExists) {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            for line in data.split(separator: UInt8(ascii: "\n")) { #expect(chain.add(Array(line)) == nil) }
        }
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
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let replacements = LockedValue<[AuditFile.Replacement]>([])
        let log = try AuditFile(
            path: path,
            onReplacement: { replacement in replacements.change { $0.append(replacement) } }
        )
        await log.record(event)
        #expect(rename(path, path + ".1") == 0)
        if isDeleted { #expect(unlink(path + ".1") == 0) }
        await log.record(event)
        await log.record(event)
        #expect(replacements.value == [expected])
        #expect(try events(path) == [event.json, event.json])
        #expect(try (isDeleted ? check(path) : check(path + ".1", path)).validCount == (isDeleted ? 2 : 3))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file that reopen() follows is not reported, and a truncated file is continued`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let replacements = LockedValue(0)
        let log = try AuditFile(path: path, onReplacement: { _ in replacements.change { $0 += 1 } })
        #expect(rename(path, path + ".1") == 0)
        try log.reopen()
        #expect(FileManager.default.fileExists(atPath: path))
        await log.record(event)
        #expect(truncate(path, 0) == 0)
        await log.record(event)
        #expect(replacements.value == 0)
        #expect(try events(path) == [event.json])
    }

    @Test func `a moved file gets the events while its path cannot be opened`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("audit.jsonl").path
        let errors = LockedValue<[String]>([])
        let log = try AuditFile(path: path) { error in errors.change { $0.append("\(error)") } }
        #expect(rename(path, path + ".1") == 0)
        #expect(symlink("target", path) == 0)
        #expect(throws: AuditFileError.self) { try log.reopen() }
        await log.record(event)
        #expect(errors.value.count == 1)
        #expect(errors.value.first?.contains("it is a symbolic link") == true)
        #expect(try events(path + ".1") == [event.json])
    }

    // MARK: The chain

    /// The path of the log in the folder, which is created.
    private func newPath() throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent("audit.jsonl").path
    }

    @Test func `each line names the SHA-256 of the line before it`() async throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = try AuditFile(path: path)
        #expect(log.lastHash == nil)
        for _ in 1...2 { await log.record(event) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines[1].hasSuffix(#","previous":"\#(AuditChain.hash(of: lines[0].utf8))"}"#))
        #expect(log.lastHash == AuditChain.hash(of: lines[1].utf8))
        #expect(try AuditFile(path: path).lastHash == log.lastHash)
        // As in FIPS 180-4.
        #expect(
            AuditChain.hash(of: "abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `several logs of the same file continue each other at the same time`() async throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let errors = LockedValue(0)
        let logs = try (0..<4).map { _ in try AuditFile(path: path, onError: { _ in errors.change { $0 += 1 } }) }
        let event = event
        await withTaskGroup(of: Void.self) { group in
            for log in logs { group.addTask { for _ in 1...250 { await log.record(event) } } }
        }
        #expect(try check(path).validCount == 1000)
        #expect(errors.value == 0)
    }

    @Test(arguments: ["", "x", "{\"time\":\"2026", String(repeating: "\0", count: 5000), "\n\n"])
    func `a line that was cut off stays apart from the next record, which continues it`(end: String) async throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = try AuditFile(path: path)
        await log.record(event)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(end.utf8))
        for log in [log, try AuditFile(path: path)] { await log.record(event) }
        let lines = try Data(contentsOf: URL(fileURLWithPath: path))
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        var chain = AuditChain()
        let faults = lines.compactMap { chain.add(Array($0)) }
        #expect(faults.allSatisfy { $0 == .malformed })
        #expect(faults.count == (end == "\n\n" ? 2 : end.isEmpty ? 0 : 1))
        #expect(chain.validCount == 3)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a line that was removed, changed or moved is found`(index: Int) async throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = try AuditFile(path: path)
        for number in 0..<5 { await log.record(AuditEvent(.login, at: Timestamp(milliseconds: Int64(number)))) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { Array($0.utf8) }
        func faults(_ change: (inout [[UInt8]]) -> Void) -> [AuditChain.Fault] {
            var (chain, lines) = (AuditChain(), lines)
            change(&lines)
            return lines.compactMap { chain.add($0) }
        }
        #expect(faults { _ in } == [])
        // A chain may begin anywhere, and the first line that is removed is the last of a file before.
        #expect(faults { $0.remove(at: index) } == (index == 0 ? [] : [.broken]))
        #expect(faults { $0[index][20] ^= 1 } == [.broken])
        #expect(!faults { $0.swapAt(index, index + 1) }.isEmpty)
        #expect(faults { $0.insert($0[index], at: index) } == [.broken])
        #expect(faults { $0[index + 1].removeLast(70) }.first == .malformed)
    }

    @Test func `a new file continues the rotated one, also if another process creates it`() async throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await AuditFile(path: path).record(event)
        #expect(rename(path, path + ".1") == 0)
        try await AuditFile(path: path).record(event)
        #expect(try check(path + ".1", path).validCount == 2)
        #expect(try check(path).validCount == 1)
    }

    @Test func `a record is written although another process keeps the file locked, and this is reported`() throws {
        let path = try newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let errors = LockedValue<[String]>([])
        let log = try AuditFile(path: path, onError: { error in errors.change { $0.append("\(error)") } })
        let other = open(path, O_RDONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let start = ContinuousClock.now
        for _ in 1...100 { log.write(event) }
        // Only the first one has waited.
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(errors.value.count == 100)
        #expect(errors.value.first?.contains("another process has locked it") == true)
        #expect(try check(path).validCount == 100)
        #expect(flock(other, LOCK_UN) == 0)
        log.write(event)
        #expect(errors.value.count == 100)
    }
}
