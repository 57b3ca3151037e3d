import Foundation
import HTTPTestClient
import Logging
import Testing

@testable import UnderstudyCommandLine

@Suite struct LogLineTests {
    private func line(_ message: String = "Request", _ members: [(String, Logger.MetadataValue)] = []) -> LogLine {
        LogLine(
            time: Date(timeIntervalSince1970: 1_751_371_200.25),
            level: .info,
            label: "understudy",
            message: message,
            members: members.map { (name: $0.0, value: $0.1) }
        )
    }

    @Test func `a line of text contains the time, the level, the message and the metadata`() {
        let members: [(String, Logger.MetadataValue)] = [
            ("page", "login"), ("reason", "two words"), ("status", .stringConvertible(200)), ("empty", ""),
        ]
        #expect(
            line("Request", members).text(.text)
                == "12:00:00.250Z INFO     Request page=login reason='two words' status=200 empty=''"
        )
        #expect(line().text(.text, hasColour: true) == "12:00:00.250Z \u{1B}[32mINFO    \u{1B}[0m Request")
    }

    @Test func `a line of JSON is an object whose numbers are JSON numbers`() {
        let members: [(String, Logger.MetadataValue)] = [
            ("status", .stringConvertible(200)), ("duration", .stringConvertible(0.25)), ("list", ["a", "b"]),
            ("object", ["b": "1", "a": .stringConvertible(true)]), ("other", .stringConvertible(Duration.seconds(1))),
        ]
        #expect(
            line("Request", members).text(.json)
                == """
                {"time":"2025-07-01T12:00:00.250Z","level":"info","logger":"understudy","message":"Request",\
                "status":200,"duration":0.25,"list":["a","b"],"object":{"a":true,"b":"1"},"other":"1.0 seconds"}
                """
        )
    }

    @Test(arguments: LogFormat.allCases)
    func `nothing that is logged begins another line or controls a terminal`(format: LogFormat) throws {
        let hostile = "a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}\u{202E}\"\\ü😀"
        let text = line(hostile, [("path", .string(hostile)), (hostile, "x")]).text(format)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        #expect(!text.contains("\u{2028}") && !text.contains("\u{202E}"))
        #expect(text.contains("ü😀"))
        if format == .json {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
            #expect(object["message"] == hostile)
            #expect(object["path"] == hostile)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct ObservabilityTests {
    @Test func `operators get metrics on a separate port, and a JSON log`() async throws {
        let program = try Program(
            ["serve", "--demo", "--port", "0", "--admin-port", "0", "--log-format", "json", "--loops", "1"]
        )
        defer { program.kill() }
        let line = try #require(await program.errors.next(containing: "Listening for operators"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        let port = try #require(object?["address"]?.split(separator: ":").last.flatMap { UInt16($0) })
        let text = try await metrics(port: port)
        #expect(
            text.contains("understudy_requests_total{page=\"login\",event=\"loginButtonPressed\",status=\"200\"} 0\n")
        )
        #expect(text.contains("understudy_password_hashes_waiting 0\n"))
        program.send(SIGTERM)
        #expect(await program.result().status == 0)
    }

    private func metrics(port: UInt16) async throws -> String {
        try await HTTPTestClient.request("GET", "/metrics", port: port).text
    }

    @Test func `a port for operators that is set must be free`() async throws {
        let first = try Program(["serve", "--demo", "--port", "0", "--admin-port", "0"])
        defer { first.kill() }
        let line = try #require(await first.errors.next(containing: "Listening for operators"))
        let port = try #require(line.split(separator: ":").last)
        let second = try Program(["serve", "--demo", "--port", "0", "--admin-port", String(port)])
        defer { second.kill() }
        let result = await second.result()
        #expect(result.status == 1)
        #expect(result.errors.last == "error: port \(port) on 127.0.0.1 is already in use")
    }
}
