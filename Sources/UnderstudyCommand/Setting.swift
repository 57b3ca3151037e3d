import ArgumentParser
import Glibc

/// The value of a setting: the flag's, else the environment's, else the default.
///
/// - Parameters:
///   - flag: what the flag says, where it was given.
///   - name: the flag's name, from which the variable's is made: `session-idle` is `UNDERSTUDY_SESSION_IDLE`.
/// - Throws: `ValidationError` where the environment's value cannot be understood.
func setting<Value: ExpressibleByArgument>(_ flag: Value?, _ name: String, default: Value) throws -> Value {
    try setting(flag, name) ?? `default`
}

/// The same without a default.
func setting<Value: ExpressibleByArgument>(_ flag: Value?, _ name: String) throws -> Value? {
    if let flag { return flag }
    let variable = "UNDERSTUDY_" + name.uppercased().split(separator: "-").joined(separator: "_")
    guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    guard let value = Value(argument: text) else {
        throw ValidationError("The value '\(text)' is invalid for the environment variable \(variable).")
    }
    return value
}

/// A span of time as a person writes it: `90`, `90s`, `30m`, `12h`, `250ms`.
struct TimeSpan: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch argument[digits.endIndex...] {
        case "", "s": duration = .seconds(number)
        case "ms": duration = .milliseconds(number)
        case "m": duration = .seconds(60 * number)
        case "h": duration = .seconds(3600 * number)
        case "d": duration = .seconds(86_400 * number)
        default: return nil
        }
    }
}

/// A number of bytes as a person writes it: `65536`, `64KiB`, `1MiB`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= 1 << 30 else { return nil }
        switch argument[digits.endIndex...].lowercased() {
        case "", "b": bytes = number
        case "k", "kib": bytes = number << 10
        case "m", "mib": bytes = number << 20
        default: return nil
        }
    }
}

/// A number that is at least 1.
struct Count: ExpressibleByArgument {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }

    init?(argument: String) {
        guard let number = Int(argument), number >= 1, number <= 100_000_000 else { return nil }
        self.number = number
    }
}

/// Whether something is wanted, as the environment says it: `true` or `1`, `false` or `0`.
struct Switch: ExpressibleByArgument {
    let isOn: Bool

    init(_ isOn: Bool) {
        self.isOn = isOn
    }

    init?(argument: String) {
        switch argument.lowercased() {
        case "1", "true", "yes", "on": isOn = true
        case "0", "false", "no", "off": isOn = false
        default: return nil
        }
    }
}

/// How often something may be done, as a person writes it: `30/10m`.
struct RateSetting: ExpressibleByArgument {
    let count: Int
    let interval: Duration

    init(_ count: Int, per interval: Duration) {
        self.count = count
        self.interval = interval
    }

    init?(argument: String) {
        let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Count(argument: String(parts[0]))?.number,
            let interval = TimeSpan(argument: String(parts[1]))?.duration, interval > .zero
        else { return nil }
        self.init(count, per: interval)
    }
}

/// The address that clients use: `https://example.com`. What counts is whether the way to it is encrypted.
struct PublicURL: ExpressibleByArgument {
    let isSecure: Bool

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    init?(argument: String) {
        let address = argument.lowercased()
        guard let scheme = ["https://", "http://"].first(where: address.hasPrefix), address != scheme else {
            return nil
        }
        isSecure = scheme == "https://"
    }
}
