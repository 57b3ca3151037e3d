import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension TestMail {
    /// The mail as JSON, with the first code of eight digits and the first link in its text.
    var value: Value {
        let code = text.split { !($0.isASCII && $0.isNumber) }.first { $0.utf8.count == 8 }
        let link = text.split(whereSeparator: \.isWhitespace).first {
            $0.hasPrefix("http://") || $0.hasPrefix("https://")
        }
        return [
            "to": .string(recipient), "subject": .string(subject), "text": .string(text),
            "code": code.map { .string(String($0)) } ?? .null, "link": link.map { .string(String($0)) } ?? .null,
            "sent": .string(sent.description),
        ]
    }
}

extension TestControl {
    /// How often the mails are looked at while a test waits.
    private static let mailInterval = Duration.milliseconds(10)

    /// `GET /test/mail?to=ADDRESS&wait=SECONDS`: the mails to an address, or all, in their order. Waits until there is one.
    func handleMail(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let mails else {
            throw Problem(.unknownPage, "The server gives its mails to a mail server: start it without 'mail-url'.")
        }
        let wait = try request.number(named: "wait", in: 0...50) ?? 0
        let recipient = request.query.flatMap { Submission(query: $0)?.values["to"]?.string }
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            let found = mails().filter { recipient == nil || $0.recipient == recipient }
            if !found.isEmpty || ContinuousClock.now >= end { return .json(["mails": .array(found.map(\.value))]) }
            // Does not end with the request if its client has gone, but with the duration.
            try await Task.sleep(for: Self.mailInterval)
        }
    }
}
