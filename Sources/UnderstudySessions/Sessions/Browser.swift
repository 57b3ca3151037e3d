internal import HTTPMessages

/// The kind of browser with which a user has logged in, by which people recognise their own sessions: of all that a `User-Agent` says, only this is
/// kept.
package struct Browser: Equatable, Sendable, CustomStringConvertible {
    /// In the order in which they are looked for, since most browsers also name others.
    private enum Product: String, CaseIterable {
        case edge = "Edge", opera = "Opera", samsung = "Samsung Internet", firefox = "Firefox", chrome = "Chrome"
        case safari = "Safari"

        /// How a `User-Agent` names the product.
        var tokens: [String] {
            switch self {
            case .edge: ["Edg/", "EdgA/", "EdgiOS/"]
            case .opera: ["OPR/"]
            case .samsung: ["SamsungBrowser/"]
            case .firefox: ["Firefox/", "FxiOS/"]
            case .chrome: ["Chrome/", "CriOS/"]
            case .safari: ["Safari/"]
            }
        }
    }

    /// In the order in which they are looked for.
    private enum System: String, CaseIterable {
        case iPhone, iPad, android = "Android", windows = "Windows", macOS, chromeOS = "ChromeOS", linux = "Linux"

        /// How a `User-Agent` names the system.
        var token: String {
            switch self {
            case .macOS: "Mac OS X"
            case .chromeOS: "CrOS"
            default: rawValue
            }
        }
    }

    private let product: Product
    private let system: System?

    /// The browser that a `User-Agent` names; `nil` if it is none of the common ones.
    init?(userAgent: String) {
        let text = userAgent.utf8
        func names(_ token: String) -> Bool { text.firstRange(of: token.utf8) != nil }
        guard let product = Product.allCases.first(where: { $0.tokens.contains(where: names) }) else { return nil }
        self.product = product
        system = System.allCases.first { names($0.token) }
    }

    /// The browser with that ``description``.
    package init?(_ description: String) {
        let text = description.utf8
        let end = text.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
        guard let product = Product(rawValue: String(Substring(text[..<end]))) else { return nil }
        self.product = product
        // After the comma and the space.
        system = System(rawValue: String(Substring(text[end...].dropFirst(2))))
    }

    /// Such as `Firefox, Linux`.
    package var description: String {
        ([product.rawValue] + (system.map { [$0.rawValue] } ?? [])).joined(separator: ", ")
    }
}

extension Headers {
    /// The browser that has sent the request.
    var browser: Browser? {
        self[HeaderName(constant: "User-Agent", lowercase: "user-agent")].flatMap(Browser.init(userAgent:))
    }
}
