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
        func `a duration is a number with a unit`(text: String, duration: Duration) {
            #expect(TimeSpan(argument: text)?.duration == duration)
        }

        @Test(arguments: [
            "", "s", "ms", "x", "5x", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5s", "1,5s", "5S", "5min", "5ss", "٥s",
            "0x5s", "1e3",
            "1000000001", "99999999999999999999s",
        ])
        func `any other text is not a duration`(text: String) {
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
        func `any other text is not a size`(text: String) {
            #expect(ByteCount(argument: text) == nil)
        }
    }

    @Suite struct CountTests {
        @Test(arguments: [("1", 1), ("2", 2), ("+2", 2), ("007", 7), ("100000000", 100_000_000)])
        func `a count is at least one`(text: String, number: Int) {
            #expect(Count(argument: text)?.number == number)
        }

        @Test(arguments: ["", "0", "-1", "1.0", "1e3", " 1", "1 ", "x", "100000001", "99999999999999999999"])
        func `any other text is not a count`(text: String) {
            #expect(Count(argument: text) == nil)
        }
    }

    @Suite struct SwitchTests {
        @Test(arguments: [
            ("1", true), ("true", true), ("Yes", true), ("ON", true), ("0", false), ("False", false), ("no", false),
            ("off", false), ("", nil), ("2", nil), ("y", nil), (" 1", nil),
        ])
        func `a switch is on or off; any other text is invalid`(text: String, isOn: Bool?) {
            #expect(OnOff(argument: text)?.isOn == isOn)
        }
    }

    @Suite struct OrOffTests {
        @Test(arguments: [
            ("1200/1m", "1200/1m"), ("1/1s", "1/1s"), ("off", "off"), ("OFF", "off"), ("", nil), ("0/1m", nil),
            ("1200", nil), ("1200/0s", nil), ("none", nil), ("off ", nil),
        ])
        func `a limit is a rate or off; any other text is invalid`(text: String, description: String?) {
            let setting = ValueOrOff<RateSetting>(argument: text)
            #expect(setting?.description == description)
            #expect((setting?.value == nil) == (description == nil || description == "off"))
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

        @Test(arguments: [
            ("https://example.com", "https://example.com"),
            ("HTTPS://Example.com:8443/a?b", "https://example.com:8443"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ])
        func `an origin is the address without its path`(text: String, origin: String) {
            #expect(PublicURL(argument: text)?.origin == origin)
        }
    }

    @Suite struct FileModeTests {
        @Test(
            arguments: [
                ("600", 0o600), ("0660", 0o660), ("", nil), ("6", nil), ("888", nil), ("1777", nil), ("0o600", nil),
                ("rw", nil),
            ] as [(String, UInt32?)]
        )
        func `a mode has three or four octal digits and no special bits`(text: String, bits: UInt32?) {
            #expect(FileMode(argument: text)?.bits == bits)
        }
    }
}
