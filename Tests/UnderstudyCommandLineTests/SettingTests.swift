import Testing

@testable import UnderstudyCommandLine

@Suite struct SettingTests {
    @Suite struct TimeSpanTests {
        @Test(
            arguments: [
                ("0", .zero), ("90", .seconds(90)), ("90s", .seconds(90)), ("250ms", .milliseconds(250)),
                ("30m", .seconds(1800)), ("12h", .seconds(43_200)), ("7d", .seconds(604_800)), ("007s", .seconds(7)),
                ("1000000000", .seconds(1_000_000_000)), ("1000000000d", .seconds(86_400_000_000_000)),
            ] as [(String, Duration)]
        )
        func `a span is a number with a unit`(text: String, duration: Duration) {
            #expect(TimeSpan(argument: text)?.duration == duration)
        }

        @Test(arguments: [
            "", "s", "ms", "x", "5x", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5s", "1,5s", "5S", "5min", "5ss", "٥s",
            "0x5s", "1e3",
            "1000000001", "99999999999999999999s",
        ])
        func `anything else is none`(text: String) {
            #expect(TimeSpan(argument: text) == nil)
        }
    }

    @Suite struct ByteCountTests {
        @Test(arguments: [
            ("0", 0), ("65536", 65_536), ("65536b", 65_536), ("64KiB", 65_536), ("64kib", 65_536), ("64k", 65_536),
            ("1MiB", 1_048_576),
            ("1M", 1_048_576), ("1073741824", 1_073_741_824),
        ])
        func `a size is a number with a unit`(text: String, bytes: Int) {
            #expect(ByteCount(argument: text)?.bytes == bytes)
        }

        @Test(arguments: [
            "", "KiB", "x", "64 KiB", " 64", "-1", "+1", "1.5MiB", "1KB", "1GiB", "٥", "0x10", "1073741825",
            "99999999999999999999",
        ])
        func `anything else is none`(text: String) {
            #expect(ByteCount(argument: text) == nil)
        }
    }

    @Suite struct CountTests {
        @Test(arguments: [("1", 1), ("2", 2), ("+2", 2), ("007", 7), ("100000000", 100_000_000)])
        func `a count is at least one`(text: String, number: Int) {
            #expect(Count(argument: text)?.number == number)
        }

        @Test(arguments: ["", "0", "-1", "1.0", "1e3", " 1", "1 ", "x", "100000001", "99999999999999999999"])
        func `anything else is none`(text: String) {
            #expect(Count(argument: text) == nil)
        }
    }

    @Suite struct SwitchTests {
        @Test(arguments: [
            ("1", true), ("true", true), ("Yes", true), ("ON", true), ("0", false), ("False", false), ("no", false),
            ("off", false), ("", nil), ("2", nil), ("y", nil), (" 1", nil),
        ])
        func `a switch is on or off or not understood`(text: String, isOn: Bool?) {
            #expect(Switch(argument: text)?.isOn == isOn)
        }
    }

    @Suite struct OrOffTests {
        @Test(arguments: [
            ("1200/1m", "1200/1m"), ("1/1s", "1/1s"), ("off", "off"), ("OFF", "off"), ("", nil), ("0/1m", nil),
            ("1200", nil), ("1200/0s", nil), ("none", nil), ("off ", nil),
        ])
        func `a limit is there, off or not understood`(text: String, description: String?) {
            let setting = Switchable<RateSetting>(argument: text)
            #expect(setting?.description == description)
            #expect((setting?.limit == nil) == (description == nil || description == "off"))
        }
    }

    @Suite struct PublicURLTests {
        @Test(arguments: [
            ("https://example.com", true), ("HTTPS://example.com/a", true), ("http://localhost:8080", false),
            ("", nil), ("example.com", nil), ("https://", nil), ("http:/x", nil), ("ftp://example.com", nil),
        ])
        func `an address is secure, not secure or invalid`(text: String, isSecure: Bool?) {
            #expect(PublicURL(argument: text)?.isSecure == isSecure)
        }

        @Test(arguments: [
            ("https://example.com", "example.com"), ("HTTPS://Example.com:8443/a", "example.com"),
            ("http://localhost:8080", "localhost"), ("http://[::1]:8080/", "[::1]"),
            ("http://192.0.2.1?a", "192.0.2.1"),
            ("https://example.com#a", "example.com"), ("https://a b", nil), ("https://:80", nil), ("https:///a", nil),
            ("https://user@example.com", nil), ("https://example.com:x", nil), ("https://[::1", nil),
        ])
        func `an address has a host`(text: String, host: String?) {
            #expect(PublicURL(argument: text)?.host == host)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct EnvironmentTests {
    @Test(arguments: [
        ("UNDERSTUDY_PORT", "x"), ("UNDERSTUDY_PORT", "65536"), ("UNDERSTUDY_LOOPS", "0"),
        ("UNDERSTUDY_DEMO", "perhaps"), ("UNDERSTUDY_PUBLIC_URL", "ftp://example.com"),
        ("UNDERSTUDY_SESSION_IDLE", "5x"), ("UNDERSTUDY_SESSION_LIFETIME", "-1"), ("UNDERSTUDY_MAX_SESSIONS", "0"),
        ("UNDERSTUDY_MAX_BODY", "1GiB"), ("UNDERSTUDY_DRAIN", "soon"), ("UNDERSTUDY_LOG_LEVEL", "loud"),
    ])
    func `a bad value in the environment is one line of error`(variable: String, value: String) async throws {
        let result = try await Program.run("serve", environment: [variable: value])
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(
            result.errors.first?
                .hasPrefix(
                    "error: The value '\(value)' is invalid for the environment variable \(variable): it has to be "
                )
                == true
        )
    }

    @Test func `an empty variable is none`() async throws {
        try await withServer(environment: ["UNDERSTUDY_PORT": "", "UNDERSTUDY_LOOPS": ""]) { _, port in
            #expect(port != 0)
        }
    }

    @Test func `the environment counts`() async throws {
        let environment = [
            "UNDERSTUDY_HOST": "127.0.0.2", "UNDERSTUDY_PORT": "0", "UNDERSTUDY_DEMO": "true", "UNDERSTUDY_LOOPS": "1",
            "UNDERSTUDY_LOG_LEVEL": "debug", "UNDERSTUDY_DRAIN": "1s",
        ]
        let program = try Program(["serve"], environment: environment)
        defer { program.kill() }
        #expect(await program.output.next()?.hasPrefix("Listening on http://127.0.0.2:") == true)
        #expect(await program.output.next()?.contains("curl ") == true)
        #expect(await program.errors.next(containing: "Listening")?.contains("loops=1") == true)
    }

    @Test func `options win`() async throws {
        let environment = [
            "UNDERSTUDY_HOST": "192.0.2.1", "UNDERSTUDY_PORT": "x", "UNDERSTUDY_LOOPS": "0", "UNDERSTUDY_DRAIN": "soon",
        ]
        try await withServer(
            "--host",
            "127.0.0.1",
            "--loops",
            "1",
            "--drain",
            "1s",
            environment: environment
        ) { program, _ in
            #expect(program.output.all.first?.hasPrefix("Listening on http://127.0.0.1:") == true)
        }
    }
}
