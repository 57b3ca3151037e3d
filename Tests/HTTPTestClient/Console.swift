internal import Foundation

/// A command as documentation shows it, behind `$ `, with what comes out.
public struct ConsoleSample: Sendable {
    /// The number of the command's line.
    public let line: Int
    public let command: String
    public private(set) var output: [String] = []

    /// The samples in lines of which the first has that number. What stands before the first command is left out.
    public static func samples(in lines: some Sequence<String>, from first: Int = 1) -> [ConsoleSample] {
        var samples: [ConsoleSample] = []
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("$ ") {
                samples.append(ConsoleSample(line: first + index, command: String(line.dropFirst(2))))
            } else if let last = samples.indices.last {
                samples[last].output.append(line)
            }
        }
        return samples
    }

    /// What it has shown, without what is another one each time.
    public var masked: [String] { output.masked }
}

/// Types samples one after the other, in a folder of its own.
public final class Console {
    let folder = TemporaryFolder()
    let preamble: String
    /// What is called otherwise here than in the documentation.
    var names: [String: String]

    /// A console.
    ///
    /// - Parameters:
    ///   - port: where that listens which the documentation has at `localhost:8080`.
    ///   - preamble: what a shell is told before each command.
    public init(port: UInt16, preamble: String = "") {
        names = ["localhost:8080": "localhost:\(port)"]
        self.preamble = preamble
    }

    /// What comes out, without what is another one each time. A token that a sample shows stands for the one that has come.
    public func type(_ sample: ConsoleSample) async throws -> [String] {
        let command = names.reduce(sample.command) { $0.replacing($1.key, with: $1.value) }
        let file = folder.url.appendingPathComponent("output")
        let script = "cd '\(folder.path)'; \(preamble)\n{ \(command)\n} >'\(file.path)' 2>/dev/null"
        _ = try await ChildProcess("/bin/sh", ["-c", script]).end()
        let output = try String(contentsOf: file, encoding: .utf8).replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let shown = sample.output.token, let token = output.token { names[shown] = token }
        return output.masked
    }
}

extension [String] {
    /// The session token that an answer has.
    fileprivate var token: String? {
        for line in self {
            if let match = line.firstMatch(of: /"token":"([0-9a-f]{32})"/) { return String(match.1) }
        }
        return nil
    }

    /// The lines without what is another one each time, and without empty ones at the end.
    fileprivate var masked: [String] {
        let lines = map { line in
            line.replacing(/"token":"[0-9a-f]{32}"/, with: "TOKEN")
                .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
                .replacing(/^Date: .* GMT$/, with: "DATE")
                .replacing(/"requestID":"\w+"/, with: "ID")
                .replacing(/^X-Request-ID: \w+$/, with: "ID")
        }
        return Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }
}
