import Foundation

/// The commands that the inspector shows, which a person copies into a shell.
@Suite(.fiveMinutes) struct InspectorTests {
    static let hostile = [
        "'; touch $HOME/a; '", "$(id) `id` ${IFS}", "a\nid\n", "@/etc/passwd", "\u{1B}[201~\nid\n\u{3}id\n",
        "a&b=c+d%20e#f", "!! * ~ ? [a]",
        "é😀…", #"\'"\"#, "-o/tmp/a", " ", "",
    ]

    @Test(arguments: hostile)
    func `the command of an event that the module has sent is one request with its values`(value: String) async throws {
        let values: Value = ["name": .string(value), "password": "•••"]
        let event: Value = ["event": "go", "values": values, "url": "http://a'$(id)&b/signup"]
        let script = """
            globalThis.document = { querySelector: () => null, querySelectorAll: () => [] };
            globalThis.location = 'http://localhost/';
            const { curlCommand } = await import(process.argv[1]);
            process.stdout.write(curlCommand(JSON.parse(process.argv[2]), 'f00'));
            """
        let module = Checkout.root.appending(path: "Sources/HTMLPages/Resources/inspector.js")
        let command = try await Self.output(
            of: "/usr/bin/env",
            ["node", "--input-type=module", "-e", script, module.path, "\(event)"]
        )
        let arguments = try await Self.arguments(of: command)
        #expect(arguments.count == 9)
        let name = try #require(arguments.dropFirst(5).first)
        #expect(name.replacing("+", with: " ").removingPercentEncoding == "name=" + value)
        #expect(
            arguments == [
                "-H", "Authorization: Bearer f00", "-d", "event=go", "-d", name, "--data-urlencode", "password=…",
                "http://a'$(id)&b/signup",
            ]
        )
    }

    @Test func `only a demonstration and a service for development have the inspector`() async throws {
        for (isDemo, isDevelopment) in [(true, false), (false, true), (false, false)] {
            let browser = try Browser(as: HTMLPages(isDemo: isDemo, isDevelopment: isDevelopment))
            let hasInspector = isDemo || isDevelopment
            #expect(await browser.get("/login").text.contains("data-inspector") == hasInspector)
            #expect(await browser.get("/inspector.js").status == (hasInspector ? 200 : 404))
        }
    }

    /// The arguments that a shell passes to `curl`, if the command consists of one call.
    static func arguments(of command: String) async throws -> [String] {
        // Control characters and line breaks act on a terminal before the shell reads the line.
        let isPrintable = command.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        #expect(isPrintable, "\(command.debugDescription)")
        let script = "curl() { printf '%s\\0' \"$@\"; }\n\(command)\nprintf end"
        let output = try await output(of: "/bin/sh", ["-c", script])
            .split(separator: "\0", omittingEmptySubsequences: false)
        #expect(output.last == "end")
        return output.dropLast().map(String.init)
    }

    static func output(of program: String, _ arguments: [String]) async throws -> String {
        let folder = TemporaryFolder()
        try folder.write("output", "")
        let path = URL(filePath: try folder.file("output"))
        let file = try FileHandle(forWritingTo: path)
        let descriptor = file.fileDescriptor
        let ending = try await ChildProcess(program, arguments, output: descriptor, errors: descriptor).end()
        let output = try String(contentsOf: path, encoding: .utf8)
        #expect(ending == .exit(0), "\(output)")
        return output
    }
}
