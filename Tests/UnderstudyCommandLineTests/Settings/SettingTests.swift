@testable import UnderstudyCommandLine

/// The texts that each kind of setting accepts, with what they mean, and those that it rejects.
struct SettingTests {
    /// A kind of setting.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let valid: [(text: String, value: String)]
        let invalid: [String]
        let value: @Sendable (String) -> String?

        init<Value>(_ description: String, _ parser: TextParser<Value>, _ valid: [(String, Value)], invalid: [String]) {
            testDescription = description
            self.valid = valid.map { ($0, "\($1)") }
            self.invalid = invalid
            value = { text in (try? parser.parse(text)).map { "\($0)" } }
        }
    }

    static let kinds = [
        Kind(
            "a duration is a number with a unit",
            .duration,
            [
                ("0", .zero), ("90s", .seconds(90)), ("250ms", .milliseconds(250)),
                ("30m", .seconds(1800)), ("12h", .seconds(43_200)), ("7d", .seconds(604_800)), ("007s", .seconds(7)),
                ("1000000000s", .seconds(1_000_000_000)), ("1000000000d", .seconds(86_400_000_000_000)),
            ],
            invalid: [
                "", "s", "ms", "x", "5x", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5s", "1,5s", "5S", "5min", "5ss", "٥s",
                "0x5s", "1e3", "90", "1000000001s", "99999999999999999999s",
            ]
        ),
        Kind(
            "a size is a number with a unit",
            .bytes,
            [
                ("0", 0), ("65536", 65_536), ("65536b", 65_536), ("64KiB", 65_536), ("64kib", 65_536), ("64k", 65_536),
                ("1MiB", 1_048_576), ("1M", 1_048_576), ("2GiB", 2_147_483_648), ("1073741824", 1_073_741_824),
            ],
            invalid: [
                "", "KiB", "x", "64 KiB", " 64", "-1", "+1", "1.5MiB", "1KB", "1TiB", "٥", "0x10", "1073741825",
                "99999999999999999999",
            ]
        ),
        Kind(
            "a count is at least one",
            .count,
            [("1", 1), ("2", 2), ("+2", 2), ("007", 7), ("100000000", 100_000_000)],
            invalid: ["", "0", "-1", "1.0", "1e3", " 1", "1 ", "x", "100000001", "99999999999999999999"]
        ),
        Kind(
            "a switch is on or off",
            .onOff,
            [
                ("1", true), ("true", true), ("Yes", true), ("ON", true), ("0", false), ("False", false), ("no", false),
                ("off", false),
            ],
            invalid: ["", "2", "y", " 1"]
        ),
        Kind(
            "a limit is a rate or off",
            TextParser.rate.orOff,
            [
                ("1200/1m", Rate(1200, per: .seconds(60))), ("1/1s", Rate(1, per: .seconds(1))), ("off", nil),
                ("OFF", nil),
            ],
            invalid: ["", "0/1m", "1200", "1200/0s", "none", "off "]
        ),
        Kind(
            "a public address has a scheme, a host and no path, and is an origin",
            TextParser { text in PublicURL(text).map { "\($0.isSecure) \($0.host) \($0.origin)" } },
            [
                ("https://example.com", "true example.com https://example.com"),
                ("HTTPS://Example.com:8443", "true example.com https://example.com:8443"),
                ("http://localhost:8080", "false localhost http://localhost:8080"),
                ("http://[::1]:8080/", "false [::1] http://[::1]:8080"),
                ("http://192.0.2.1", "false 192.0.2.1 http://192.0.2.1"),
            ],
            invalid: [
                "", "example.com", "https://example.com/a", "https://example.com?a", "https://example.com/#a",
                "https://", "http:/x", "ftp://example.com", "https://a b", "https://:80",
                "https:///a", "https://user@example.com", "https://example.com:x", "https://[::1",
            ]
        ),
        Kind(
            "a mode has three or four octal digits and no special bits",
            .fileMode,
            [("600", 0o600), ("0660", 0o660)],
            invalid: ["", "6", "888", "1777", "0o600", "rw"]
        ),
    ]

    @Test(arguments: kinds) func `a text has the value of its kind, or is invalid`(kind: Kind) {
        for (text, value) in kind.valid { #expect(kind.value(text) == value, "\(text)") }
        for text in kind.invalid { #expect(kind.value(text) == nil, "\(text)") }
    }
}
