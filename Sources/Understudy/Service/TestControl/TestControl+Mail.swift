import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

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
    /// `GET /test/mail?to=ADDRESS&wait=SECONDS`: the mails to an address, or all, in their order. Waits until there is one.
    func handleMail(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let mails else {
            throw Problem(.unknownPage, "The server gives its mails to a mail server: start it without 'mail-url'.")
        }
        let wait = try request.number(named: "wait", in: 0...50) ?? 0
        let recipient = request.query.flatMap { Submission(query: $0)?.values["to"]?.string }
        func found() -> [TestMail] { mails.testMails.filter { recipient == nil || $0.recipient == recipient } }
        if wait > 0 { await waitForMails(.seconds(wait), request, service) { !found().isEmpty } }
        return .json(["mails": .array(found().map(\.value))])
    }

    /// Waits until a condition is true, which mails can change, the duration has passed, or the client has gone.
    private func waitForMails(
        _ duration: Duration,
        _ request: Request,
        _ service: UnderstudyService,
        until condition: () -> Bool
    ) async {
        let end = ContinuousClock.now + duration
        let waiter = Waiter()
        // Before the condition is evaluated, so that no mail is added unnoticed in between.
        waitingForMails.add(waiter)
        defer { waitingForMails.remove(waiter) }
        guard !condition() else { return }
        request.letHandlerWait()
        // Wakes it after the end, not before.
        service.wakeTimers.wake(waiter, after: duration)
        repeat { await waiter.wait() } while !condition() && ContinuousClock.now < end && !Task.isCancelled
    }
}
