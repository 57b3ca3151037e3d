import BusinessLogic
import HTTPMessages

/// A form that a browser sends without JavaScript.
struct BrowserForm {
    /// The idempotency key in the hidden field `_key`; `nil` if the form has none.
    let key: String?
    /// The form without `_key`.
    let body: [UInt8]

    /// Returns `nil` if the body of the request is not a form.
    init?(_ request: Request) {
        guard let type = request.headers[.contentType], type.lowercased().hasPrefix("application/x-www-form-urlencoded")
        else {
            return nil
        }
        var key: String?
        var rest: [ArraySlice<UInt8>] = []
        for field in request.body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            if field.starts(with: "_key=".utf8) {
                key = key ?? String(decoding: field.dropFirst(5), as: UTF8.self)
            } else {
                rest.append(field)
            }
        }
        self.key = key
        body = Array(rest.joined(separator: [UInt8(ascii: "&")]))
    }
}

/// The cookies of a browser, which change while the parts of its request are handled.
struct BrowserCookies {
    /// The value of `Cookie`.
    private(set) var header: String
    /// The cookies that the browser must store: the last of each name.
    private(set) var changes: [String] = []

    init(_ request: Request) {
        header = request.headers.values(.cookie).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "; ")
    }

    /// Stores the cookies of a response.
    mutating func add(_ response: Response) {
        for field in response.fields where field.name == .setCookie {
            guard let pair = field.value.split(separator: ";").first, let name = pair.split(separator: "=").first else {
                continue
            }
            header = (header.split(separator: ";").filter { !Self.hasName($0, name) }.map(String.init) + [String(pair)])
                .joined(separator: ";")
            changes.removeAll { Self.hasName($0[...], name) }
            changes.append(field.value)
        }
    }

    private static func hasName(_ cookie: Substring, _ name: Substring) -> Bool {
        cookie.drop { $0 == " " }.hasPrefix("\(name)=")
    }
}
