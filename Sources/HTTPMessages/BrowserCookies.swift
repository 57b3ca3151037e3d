/// The cookies of a browser, which change while the parts of its request are handled.
package struct BrowserCookies {
    /// The value of `Cookie`.
    package private(set) var header: String
    /// The cookies that the browser must store: the last of each name.
    package private(set) var changes: [String] = []

    package init(_ request: Request) {
        header = request.headers.values(.cookie).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "; ")
    }

    /// Stores the cookies of a response.
    package mutating func add(_ response: Response) {
        for field in response.fields where field.name == .setCookie { store(field.value) }
    }

    /// Stores a cookie.
    ///
    /// - Parameter cookie: the value of `Set-Cookie`.
    package mutating func store(_ cookie: String) {
        guard let pair = cookie.split(separator: ";").first, let name = pair.split(separator: "=").first else { return }
        header = (header.split(separator: ";").filter { !Self.hasName($0, name) }.map(String.init) + [String(pair)])
            .joined(separator: ";")
        changes.removeAll { Self.hasName($0[...], name) }
        changes.append(cookie)
    }

    /// The value of a cookie; `nil` if the browser has no cookie of that name.
    package func value(of name: String) -> String? {
        let pair = header.split(separator: ";").first { Self.hasName($0, name[...]) }
        return pair.flatMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first }.map(String.init)
    }

    private static func hasName(_ cookie: Substring, _ name: Substring) -> Bool {
        cookie.drop { $0 == " " }.hasPrefix("\(name)=")
    }
}
