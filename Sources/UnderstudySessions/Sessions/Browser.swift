import Glibc
import HTTPMessages

/// The kind of browser with which a user has logged in, by which people recognise their own sessions: of all that a `User-Agent` says, only this is
/// kept.
package struct Browser: Equatable, Sendable, CustomStringConvertible {
    private enum Product: String {
        case edge = "Edge", opera = "Opera", samsung = "Samsung Internet", firefox = "Firefox", chrome = "Chrome"
        case safari = "Safari"
    }

    private enum System: String {
        case iPhone, iPad, android = "Android", windows = "Windows", macOS, chromeOS = "ChromeOS", linux = "Linux"
    }

    /// They are in the order in which they are looked for, since most browsers also name others.
    private static let products: [(product: Product, tokens: [StaticString])] = [
        (.edge, ["Edg/", "EdgA/", "EdgiOS/"]), (.opera, ["OPR/"]), (.samsung, ["SamsungBrowser/"]),
        (.firefox, ["Firefox/", "FxiOS/"]), (.chrome, ["Chrome/", "CriOS/"]), (.safari, ["Safari/"]),
    ]

    private static let systems: [(system: System, token: StaticString)] = [
        (.iPhone, "iPhone"), (.iPad, "iPad"), (.android, "Android"), (.windows, "Windows"), (.macOS, "Mac OS X"),
        (.chromeOS, "CrOS"), (.linux, "Linux"),
    ]

    private let product: Product
    private let system: System?

    /// The browser that a `User-Agent` names in its first 512 bytes; `nil` if it is not one of those that people use most.
    init?(userAgent: UnsafeBufferPointer<UInt8>) {
        let length = min(userAgent.count, 512)
        func names(_ token: StaticString) -> Bool {
            guard let start = userAgent.baseAddress, length >= token.utf8CodeUnitCount else { return false }
            return (0...length - token.utf8CodeUnitCount).contains { place in
                start[place] == token.utf8Start[0]
                    && memcmp(start + place, token.utf8Start, token.utf8CodeUnitCount) == 0
            }
        }
        guard let found = Self.products.first(where: { $0.tokens.contains(where: names) }) else { return nil }
        product = found.product
        system = Self.systems.first { names($0.token) }?.system
    }

    package init?(_ description: String) {
        let text = description.utf8
        let end = text.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
        guard let product = Product(rawValue: String(Substring(text[..<end]))) else { return nil }
        self.product = product
        // After the comma and the space.
        system = System(rawValue: String(Substring(text[end...].dropFirst(2))))
    }

    package var description: String {
        ([product.rawValue] + (system.map { [$0.rawValue] } ?? [])).joined(separator: ", ")
    }
}

extension Headers {
    var browser: Browser? {
        withFirst(HeaderName(constant: "User-Agent", lowercase: "user-agent")) { Browser(userAgent: $0) } ?? nil
    }
}
