import BusinessLogic
import HTTPMessages
import Understudy

/// A form that a browser sends without JavaScript.
struct BrowserForm {
    /// The idempotency key in the hidden field `_key`; `nil` if the form has none.
    let key: String?
    /// The row that the person adds or removes instead of sending the event; `nil` if the person sends it.
    let rowChange: RowChange?
    /// The user for whom the form was made, in the hidden field `_user`; `nil` if the form has none.
    let user: String?
    /// The path in the hidden field `_back`, which the client chooses; `nil` if the form has none.
    let back: String?
    /// The form without the fields for this module.
    let body: [UInt8]
    private let headers: Headers

    /// Returns `nil` if the body of the request is not a form.
    init?(_ request: Request) {
        guard let type = request.headers[.contentType],
            type.lowercased().utf8.starts(with: "application/x-www-form-urlencoded".utf8)
        else {
            return nil
        }
        headers = request.headers
        var key: String?
        var rowChange: RowChange?
        var (user, back): (String?, String?)
        var rest: [ArraySlice<UInt8>] = []
        for field in request.body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            if field.starts(with: "_key=".utf8) {
                key = key ?? String(decoding: field.dropFirst(5), as: UTF8.self)
            } else if field.starts(with: "_add=".utf8) || field.starts(with: "_remove=".utf8) {
                rowChange = (try? Submission(headers: headers, body: Array(field))).flatMap { RowChange($0.values) }
            } else if field.starts(with: "_user=".utf8) {
                user = user ?? Self.text(of: field)
            } else if field.starts(with: "_back=".utf8) {
                back = back ?? Self.text(of: field)
            } else {
                rest.append(field)
            }
        }
        self.key = key
        self.rowChange = rowChange
        self.user = user
        self.back = back
        body = Array(rest.joined(separator: [UInt8(ascii: "&")]))
    }

    /// The decoded value of a field; `nil` if it is malformed.
    private static func text(of field: ArraySlice<UInt8>) -> String? {
        Submission(query: Substring(decoding: field, as: UTF8.self))?.values.first?.value.string
    }

    /// The event and the texts of the form; `nil` if it is malformed.
    var submission: Submission? { try? Submission(headers: headers, body: body) }
}
