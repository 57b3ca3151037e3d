public import ArgumentParser
import Logging
import MicroHTTP
public import Understudy

/// A span of time as a person writes it: `90`, `90s`, `30m`, `12h`, `250ms`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "a number with ms, s, m, h or d, such as 30m"

    let duration: Duration
    /// As it was written.
    let description: String

    init(_ description: String, _ duration: Duration) {
        self.description = description
        self.duration = duration
    }

    init?(argument: String) {
        description = argument
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
struct ByteCount: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "a number of bytes, or one with KiB or MiB, such as 64KiB"

    let bytes: Int
    /// As it was written.
    let description: String

    init(_ description: String, _ bytes: Int) {
        self.description = description
        self.bytes = bytes
    }

    init?(argument: String) {
        description = argument
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
struct Count: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "a whole number from 1"

    let number: Int
    var description: String { "\(number)" }

    init(_ number: Int) {
        self.number = number
    }

    init?(argument: String) {
        guard let number = Int(argument), number >= 1, number <= 100_000_000 else { return nil }
        self.number = number
    }
}

/// Whether something is wanted, as the environment or a file says it: `true` or `1`, `false` or `0`.
struct Switch: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "on or off"

    let isOn: Bool
    var description: String { isOn ? "on" : "off" }

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

/// Who may do what with a file, as chmod takes it: `0660`.
struct FileMode: ExpressibleByArgument, CustomStringConvertible {
    let bits: UInt32

    init(_ bits: UInt32) {
        self.bits = bits
    }

    init?(argument: String) {
        guard (3...4).contains(argument.utf8.count), argument.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let bits = UInt32(argument, radix: 8), bits <= 0o777
        else { return nil }
        self.bits = bits
    }

    var description: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// How often something may be done, as a person writes it: `30/10m`.
struct RateSetting: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "COUNT/TIME, such as 30/10m"

    let count: Int
    let interval: TimeSpan
    var description: String { "\(count)/\(interval)" }

    init(_ count: Int, per interval: TimeSpan) {
        self.count = count
        self.interval = interval
    }

    init?(argument: String) {
        let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Count(argument: String(parts[0]))?.number,
            let interval = TimeSpan(argument: String(parts[1])), interval.duration > .zero
        else { return nil }
        self.init(count, per: interval)
    }
}

/// The address that clients use: `https://example.com`. What counts is its host, and whether the way to it is encrypted.
struct PublicURL: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "an address that begins with http:// or https:// and a host, such as https://example.com"

    let isSecure: Bool
    /// The host name or IP address (of IPv6 in brackets), without the port.
    let host: String
    /// As it was written.
    let description: String

    init(_ description: String, isSecure: Bool, host: String) {
        self.description = description
        self.isSecure = isSecure
        self.host = host
    }

    init?(argument: String) {
        description = argument
        let address = argument.lowercased()
        guard let scheme = ["https://", "http://"].first(where: address.hasPrefix) else { return nil }
        isSecure = scheme == "https://"
        let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        host = String(authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)])
        let port = authority.dropFirst(host.count)
        var hosts = AllowedHosts()
        guard (try? hosts.allow(host)) != nil, port.isEmpty || UInt16(port.dropFirst()) != nil else { return nil }
    }
}

/// The port for operators: a number, or `off`.
struct AdminPort: ExpressibleByArgument, CustomStringConvertible, HasForm {
    static let form = "a port from 0 to 65535, or 'off'"

    /// The port; `nil` where there is to be none.
    let number: UInt16?
    var description: String { number.map { "\($0)" } ?? "off" }

    init(_ number: UInt16?) {
        self.number = number
    }

    init?(argument: String) {
        if argument.lowercased() == "off" {
            number = nil
        } else if let number = UInt16(argument) {
            self.number = number
        } else {
            return nil
        }
    }
}

extension PathPrefix: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension LogFormat: ExpressibleByArgument, HasForm {
    static let form = "text or json"

    /// For people where people look, else for machines.
    static var usual: LogFormat { Terminal.isWatched ? .text : .json }
}

// MARK: How values of others' types are written

extension UInt16: HasForm {
    static let form = "a port from 0 to 65535"
}

extension Int: HasForm {
    static let form = "a whole number"
}

extension Logger.Level: HasForm {
    static let form = "trace, debug, info, notice, warning, error or critical"
}

extension PathPrefix: HasForm {
    static let form = "a path such as /understudy, without a / at its end"
}
