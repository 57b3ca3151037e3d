/// The commands and scripts that documents show work as shown.
@Suite(.fiveMinutes) struct ReadmeTests {
    let workplace = Workplace()

    /// The blocks of a document in that language, with the number of each block's first line.
    static func blocks(_ language: String, in path: String) throws -> [(line: Int, text: ArraySlice<String>)] {
        let lines = try Checkout.text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
        return stride(from: 0, to: fences.count - 1, by: 2).compactMap { index in
            let (start, end) = (fences[index], fences[index + 1])
            return lines[start] == "```" + language ? (start + 2, lines[start + 1..<end]) : nil
        }
    }

    @Test(arguments: [
        ("README.md", true),
        ("docs/http-api.md", true),
        ("docs/accounts.md", false),
        ("Sources/Understudy/Understudy.docc/ReplayABugReport.md", true),
    ])
    func `a command prints what the document shows`(document: String, isDemo: Bool) async throws {
        let samples = try Self.blocks("console", in: document)
            .flatMap { ConsoleSample.samples(in: $0.text, from: $0.line) }
        #expect(!samples.isEmpty)
        let demo = ["UNDERSTUDY_DEMO": "on", "UNDERSTUDY_RECORD": workplace.path("recordings")]
        let environment = workplace.environment.merging(isDemo ? demo : [:]) { $1 }
        try await withServer(environment: environment) { _, port async throws in
            let console = Console(
                port: port,
                preamble: """
                    export UNDERSTUDY_CONFIG= \(workplace.environment.map { "\($0)='\($1)'" }.joined(separator: " "))
                    understudy() { '\(Program.executable.path)' "$@"; }
                    """
            )
            for sample in samples {
                #expect(try await console.type(sample) == sample.masked, "\(document):\(sample.line)")
            }
        }
    }

    @Test(arguments: [
        ("sh", "sh", "script"), ("python", "python3", "script.py"),
        ("python pytest", "python3 -m pytest -p no:cacheprovider", "test_login.py"),
        ("js", "node --test", "login.test.mjs"),
    ])
    func `scripts of docs/integration-tests.md succeed`(language: String, command: String, file: String) async throws {
        let scripts = try Self.blocks(language, in: "docs/integration-tests.md")
        #expect(!scripts.isEmpty)
        for script in scripts {
            let workplace = Workplace()
            let shell = """
                cd '\(workplace.folder.path)'
                PATH=$(dirname "$0"):$PATH
                cat >\(file) <<'END'
                \(script.text.text)
                END
                exec \(command) \(file)
                """
            let result = try await Program.run([], shell: shell)
            #expect(result.status == 0, "docs/integration-tests.md:\(script.line): \(result.output + result.errors)")
        }
    }

    @Test(arguments: [("sh", "bash -eo pipefail"), ("python", "python3 -"), ("js", "node --input-type=module")])
    func `the scripts of docs/other-languages.md succeed`(language: String, interpreter: String) async throws {
        let scripts = try Self.blocks(language, in: "docs/other-languages.md")
        #expect(scripts.count >= 2)
        for script in scripts {
            let workplace = Workplace()
            try await withServer(environment: workplace.environment.merging(["UNDERSTUDY_DEMO": "on"]) { $1 }) {
                _,
                port in
                let text = script.text.text.replacing("localhost:8080", with: "localhost:\(port)")
                let result = try await Program.run([], shell: "exec \(interpreter) <<'END'\n\(text)\nEND")
                #expect(result.status == 0, "docs/other-languages.md:\(script.line): \(result.output + result.errors)")
            }
        }
    }
}
