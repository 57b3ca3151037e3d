import BusinessLogic
import HTTPMessages
import Understudy

/// The way to the login, if the session of a form has ended, and back.
extension BrowserExchange {
    /// `nil` if the form's event also runs for another user or without one.
    func requiredUser(of form: BrowserForm) -> String? {
        guard let login = pages.served.path(of: "login"), request.path != login else { return nil }
        return form.user
    }

    /// The way to the login if the event of a form did not run, because its session does not have the user for whom the form was made; `nil` if the
    /// response to the event has another reason.
    ///
    /// What the person has entered is in the query of the path back, without secrets, unless it is too long.
    func login(after response: Response, to form: BrowserForm) async -> Response? {
        guard response.status == 401, requiredUser(of: form) != nil, let login = pages.served.path(of: "login")
        else { return nil }
        var values = ""
        let page = await service(reading.part(replacing: [(.cookie, "")])).json
        if let page, let submission = form.submission {
            let fields = page["fields"].elements.filter { $0["secret"] != true }.compactMap { $0["name"]?.string }
            values = FormTexts(submission.values).query(fields)
        }
        let location = pages.target(login, back: "\(request.path)" + (values.isEmpty ? "" : "?\(values)"))
        return seeOther(location ?? pages.target(login, back: String(request.path)) ?? login)
    }
}

extension HTMLPages {
    /// The length of a request's target that the server accepts, in bytes.
    static let maximumTargetLength = 2048

    /// `nil` if the target is longer than the server accepts.
    func target(_ path: String, back: String) -> String? {
        let target = "\(path)?_back=\(back.queryEncoded)"
        return target.utf8.count <= Self.maximumTargetLength ? target : nil
    }

    /// A client chooses the path. `nil` unless it is that of a page of the service, with or without a query.
    func checkedBack(_ back: String?) -> String? {
        guard let back, back.utf8.count <= Self.maximumTargetLength,
            back.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            served.contains(path: back.prefix { $0 != "?" })
        else { return nil }
        return back
    }
}

/// The alerts of events before the page that they lead to: a cookie contains the numbers of their commands, and the session the texts. So a
/// link cannot show a text of its choice.
extension HTMLPages {
    fileprivate static let alertCookie = "alert"

    func alertCookie(_ sequences: [Int]) -> String {
        let value = sequences.map { "\($0)" }.joined(separator: ".")
        let age = sequences.isEmpty ? 0 : 60
        return "\(Self.alertCookie)=\(value); Path=\(prefix)/; Max-Age=\(age); HttpOnly; SameSite=Lax"
            + (isPublicAddressSecure ? "; Secure" : "")
    }
}

extension BrowserExchange {
    private static let maximumAlerts = 5

    /// `nil` if the request's cookie names none.
    func pendingAlert() async -> String? {
        guard let value = cookies.value(of: HTMLPages.alertCookie) else { return nil }
        let sequences = value.split(separator: ".").prefix(Self.maximumAlerts).compactMap { Int($0) }
        guard let first = sequences.min(), first > 0 else { return "" }
        let history = await service(request.part(.get, "\(pages.prefix)/session/history?since=\(first - 1)"))
        let alerts = (history.json?["commands"]).elements.filter { command in
            command["command"] == "showAlert" && sequences.contains { command["sequence"] == Value($0) }
        }
        return alerts.compactMap { $0["message"]?.string }.joined(separator: " ")
    }
}
