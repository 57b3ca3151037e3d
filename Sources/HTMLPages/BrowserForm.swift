import BusinessLogic
import HTTPMessages
import Understudy

/// A form that a browser sends without JavaScript.
struct BrowserForm {
    /// The idempotency key in the hidden field `_key`; `nil` if the form has none.
    let key: String?
    /// The row that the person adds or removes instead of sending the event; `nil` if the person sends it.
    let rowChange: RowChange?
    /// The form without the fields for this module.
    let body: [UInt8]
    private let headers: Headers

    /// Returns `nil` if the body of the request is not a form.
    init?(_ request: Request) {
        guard let type = request.headers[.contentType], type.lowercased().hasPrefix("application/x-www-form-urlencoded")
        else {
            return nil
        }
        headers = request.headers
        var key: String?
        var rowChange: RowChange?
        var rest: [ArraySlice<UInt8>] = []
        for field in request.body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            if field.starts(with: "_key=".utf8) {
                key = key ?? String(decoding: field.dropFirst(5), as: UTF8.self)
            } else if field.starts(with: "_add=".utf8) || field.starts(with: "_remove=".utf8) {
                rowChange = (try? Submission(headers: headers, body: Array(field))).flatMap { RowChange($0.values) }
            } else {
                rest.append(field)
            }
        }
        self.key = key
        self.rowChange = rowChange
        body = Array(rest.joined(separator: [UInt8(ascii: "&")]))
    }

    /// The event and the texts of the form; `nil` if it is malformed.
    var submission: Submission? { try? Submission(headers: headers, body: body) }
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
