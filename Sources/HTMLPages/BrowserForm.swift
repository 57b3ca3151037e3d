import BusinessLogic
import HTTPMessages
import Understudy

/// A form that a browser sends without JavaScript.
struct BrowserForm {
    /// The event and the texts of the form, without the fields for this module; `nil` if the form is malformed.
    let submission: Submission?
    /// The idempotency key in the hidden field `_key`; `nil` if the form has none.
    let key: String?
    /// The row that the person adds or removes instead of sending the event; `nil` if the person sends it.
    let rowChange: RowChange?
    /// The user for whom the form was made, in the hidden field `_user`; `nil` if the form has none.
    let user: String?
    /// The client chooses it in the hidden field `_back`; `nil` if the form has none.
    let back: String?
    let body: [UInt8]

    /// Returns `nil` if the body of the request is not a form.
    init?(_ request: Request) {
        guard let type = request.headers[.contentType],
            type.lowercased().utf8.starts(with: "application/x-www-form-urlencoded".utf8)
        else { return nil }
        var submission = try? Submission(request)
        rowChange = (submission?.values).flatMap { RowChange($0) }
        func take(_ name: String) -> String? {
            let value = submission?.values[name]
            submission?.values[name] = nil
            return value?.string ?? value?.array?.first?.string
        }
        (key, user, back) = (take("_key"), take("_user"), take("_back"))
        for name in ["_add", "_remove"] { _ = take(name) }
        // A keyboard of a phone adds a space after a word that it completes.
        if let name = submission?.values["username"]?.string {
            submission?.values["username"] = .string(String(decoding: Array(name.utf8)[...].trimmed, as: UTF8.self))
        }
        self.submission = submission
        // The service reports what is wrong with a malformed form.
        body = submission.map { FormTexts.form($0.event?.name, $0.values.formFields) } ?? request.body
    }
}
