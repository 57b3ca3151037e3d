/// They change while the parts of the browser's request are handled.
package struct BrowserCookies {
    package private(set) var header: String
    /// The browser must store them: the last of each name.
    package private(set) var changes: [String] = []

    package init(_ request: Request) {
        header = request.headers.values(.cookie).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "; ")
    }

    package mutating func add(_ response: Response) {
        for field in response.fields where field.name == .setCookie { store(field.value) }
    }

    /// The cookie is the value of `Set-Cookie`.
    package mutating func store(_ cookie: String) {
        let pair = cookie.utf8.prefix { $0 != UInt8(ascii: ";") }
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        guard !name.isEmpty else { return }
        header = (pairs.filter { !Self.hasName($0, name) } + [pair]).map { String(Substring($0)) }.joined(
            separator: ";"
        )
        changes.removeAll { Self.hasName($0.utf8[...], name) }
        changes.append(cookie)
    }

    /// `nil` if the browser has no cookie of that name, or an empty one.
    package func value(of name: String) -> String? {
        let pair = pairs.first { Self.hasName($0, name.utf8[...]) }
        let value = pair?.drop { $0 != UInt8(ascii: "=") }.dropFirst() ?? "".utf8[...]
        return value.isEmpty ? nil : String(Substring(value))
    }

    /// The cookies as bytes, as the service reads them: a `Character` can begin with `;` or `=`, and contain more.
    private var pairs: [Substring.UTF8View] { header.utf8.split(separator: UInt8(ascii: ";")) }

    private static func hasName(_ cookie: Substring.UTF8View, _ name: Substring.UTF8View) -> Bool {
        let text = cookie.drop { $0 == UInt8(ascii: " ") }
        return text.starts(with: name) && text.dropFirst(name.count).first == UInt8(ascii: "=")
    }
}
