import Accounts
import Foundation
import Testing

@testable import AccountsMail

@Suite(.timeLimit(.minutes(5))) struct SendmailMailerTests {
    /// A link to sendmail.sh in a folder of its own, which keeps what it gets.
    private final class Program {
        private let folder = FileManager.default.temporaryDirectory.appending(path: "sendmail-\(UUID().uuidString)")
        let path: String

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A shell would split it.
            path = folder.appending(path: "send; mail").path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: Support.path("sendmail.sh"))
        }

        deinit {
            try? FileManager.default.removeItem(at: folder)
        }

        func contents(_ suffix: String) throws -> String {
            try String(contentsOfFile: "\(path).\(suffix)", encoding: .utf8)
        }

        var server: MailServer { get throws { try MailServer(url: "sendmail:\(path)") } }
    }

    @Test func `the program gets the mail, and the addresses as arguments that are no options`() async throws {
        let program = try Program()
        try await program.server.mailer().send(.sample(to: "-x@rules.example", text: "a\n.\nb\n"))
        #expect(try program.contents("arguments") == "-i\n-f\nno-reply@shop.example\n--\n-x@rules.example\n")
        let input = try program.contents("input")
        #expect(input.hasPrefix("From: \"Understudy\" <no-reply@shop.example>\nTo: -x@rules.example\n"))
        #expect(input.hasSuffix("\n\na\n.\nb\n"))
        #expect(!input.utf8.contains(UInt8(ascii: "\r")))
    }

    @Test func `the program gets a long mail, and no environment that could contain passwords`() async throws {
        let program = try Program()
        let text = String(repeating: String(repeating: "x", count: 70) + "\n", count: 10_000)
        try await program.server.mailer().send(.sample(text: text))
        #expect(try program.contents("input").hasSuffix(text))
        let names = try program.contents("environment").split(separator: "\n").compactMap {
            $0.split(separator: "=").first
        }
        #expect(Set(names).isSubset(of: ["PATH", "PWD", "_", "OLDPWD", "SHLVL"]))
    }

    @Test(arguments: [
        ("status-75", MailError.temporary("the program for mails ends with status 75")),
        ("status-65", .permanent("the program for mails ends with status 65")),
        ("status-67", .permanent("the program for mails ends with status 67")),
        ("status-68", .permanent("the program for mails ends with status 68")),
        ("status-64", .temporary("the program for mails ends with status 64")),
        ("status-69", .temporary("the program for mails ends with status 69")),
        ("status-127", .temporary("the program for mails ends with status 127")),
        ("killed", .temporary("the program for mails ends with signal 9")),
    ])
    func `the status of the program says whether the failure is permanent`(
        _ name: String,
        _ expected: MailError
    ) async throws {
        let program = try Program()
        let mailer = try program.server.mailer()
        #expect(await failure(.sample(to: "\(name)@rules.example"), mailer) == expected)
    }

    @Test func `a program that does not read the mail is a temporary failure`() async throws {
        let program = try Program()
        // More than a pipe contains.
        let text = String(repeating: "x\n", count: 1 << 18)
        let error = await failure(.sample(to: "deaf@rules.example", text: text), try program.server.mailer())
        #expect(error == .temporary("the program for mails has not read the mail"))
    }

    @Test(arguments: [1, 1 << 18])
    func `a program that takes too long is killed`(_ lines: Int) async throws {
        let program = try Program()
        let mail = Mail.sample(to: "slow@rules.example", text: String(repeating: "x\n", count: lines))
        let error = await failure(mail, try program.server.within(.milliseconds(300)).mailer())
        #expect(error == .temporary("the program for mails takes too long"))
    }

    @Test func `a program that has been removed is a temporary failure`() async throws {
        let program = try Program()
        let mailer = try program.server.mailer()
        try FileManager.default.removeItem(atPath: program.path)
        let error = await failure(.sample(), mailer)
        #expect(error == .temporary("the program for mails cannot be run: No such file or directory"))
    }

    @Test func `what cannot be in a message is rejected before the program runs`() async throws {
        let program = try Program()
        let error = await failure(.sample(subject: "Code\nBcc: bart@rules.example"), try program.server.mailer())
        #expect(error == .permanent("the subject contains a line break or another control character"))
        #expect(throws: (any Error).self) { try program.contents("arguments") }
    }
}
