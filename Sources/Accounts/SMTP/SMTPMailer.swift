import BusinessLogic
import CCurl
import Glibc
import ThreadExecutors

/// Gives mails to an SMTP server (RFC 5321, RFC 6409), each in a connection of its own, on a thread that waits for it, so that no thread of
/// Swift's does.
struct SMTPMailer: Mailer {
    let server: MailServer
    let sender: MailAddress
    /// Gives the `Date` of the mails.
    let clock: any WallClock

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        let (server, domain, cancellation) = (server, String(sender.domain), LockedValue(false))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, MailError>, Never>) in
                let failure = DetachedThread.start("mail") {
                    blockBrokenPipes()
                    let transfer = SMTPTransfer(message, server, cancellation)
                    let result = Result { () throws(MailError) in try transfer.perform(as: domain) }
                    continuation.resume(returning: result)
                }
                guard let failure else { return }
                continuation.resume(returning: .failure(.temporary("no thread can be started: \(failure)")))
            }
        } onCancel: {
            cancellation.value = true
        }
        try result.get()
    }
}

/// Without this, writing to a connection that the other side has closed would end the process.
private func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// One attempt to give a message to an SMTP server, on the thread that calls it.
final class SMTPTransfer {
    private let message: MailMessage
    private let cancellation: LockedValue<Bool>
    private let server: MailServer
    /// When the reply to QUIT must have arrived, to which libcurl does not apply its total timeout.
    private let deadline: ContinuousClock.Instant
    /// How many bytes of the message libcurl has taken.
    private var position = 0
    /// What of the mail the server was asked for last; `nil` before `MAIL`.
    private var step: Step?
    /// The first lines of the failures that the server has reported, by their codes. One may belong to QUIT.
    private var failures: [Int: (status: String?, text: String)] = [:]

    /// A command about the mail (RFC 5321 section 4.1.1).
    private enum Step: String, CaseIterable {
        case sender = "MAIL "
        case recipient = "RCPT "
        /// The command, and the content after it.
        case content = "DATA"
    }

    /// Whether libcurl could be initialised, once for the process.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init(_ message: MailMessage, _ server: MailServer, _ cancellation: LockedValue<Bool>) {
        self.message = message
        self.server = server
        self.cancellation = cancellation
        deadline = .now + server.timeout
    }

    /// Connects, sends the message, and disconnects. The client calls itself `domain`.
    func perform(as domain: String) throws(MailError) {
        let recipients = curl_slist_append(nil, "<\(message.recipient)>")
        let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        text.initialize(repeating: 0)
        defer {
            curl_slist_free_all(recipients)
            text.deallocate()
        }
        guard Self.isInitialised, recipients != nil, let handle = curl_easy_init() else {
            throw .temporary("libcurl cannot be initialised")
        }
        defer { curl_easy_cleanup(handle) }
        let protection = server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        let timeout = max(1, min(Int64(Int32.max), server.timeout.wholeMilliseconds))
        let numbers: [(CURLoption, Int)] = [
            // Signals would interrupt other threads.
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_UPLOAD, 1),
            // Only what the settings say: neither a password of ~/.netrc nor, below, a proxy of the environment.
            (CURLOPT_NETRC, 0),
            // Otherwise, libcurl does not ask whether to abort while it waits for the reply to QUIT.
            (CURLOPT_FORBID_REUSE, 1), (CURLOPT_USE_SSL, Int(protection.rawValue)), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_CONNECTTIMEOUT_MS, 10_000), (CURLOPT_TIMEOUT_MS, Int(timeout)),
        ]
        var texts: [(CURLoption, String?)] = [
            (CURLOPT_PROXY, ""), (CURLOPT_MAIL_FROM, "<\(message.sender)>"),
            (CURLOPT_URL, "\(server.scheme)://\(server.urlHost):\(server.port)/\(domain)"),
        ]
        // Only these: Debian's libcurl also has a folder with those of the system.
        if let authorities = server.authorities { texts += [(CURLOPT_CAINFO, authorities), (CURLOPT_CAPATH, nil)] }
        if let credentials = server.credentials {
            texts += [(CURLOPT_USERNAME, credentials.user), (CURLOPT_PASSWORD, credentials.password)]
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let callbacks = CCurl_setCallbacks(
            handle,
            context,
            { buffer, size, count, context in
                transfer(context).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            },
            { buffer, size, count, context in
                transfer(context).receive(UnsafeRawBufferPointer(start: buffer, count: size * count))
                return size * count
            },
            { context, _, _, _, _ in transfer(context).mustStop ? 1 : 0 }
        )
        // libcurl's code is the same for all commands about the mail.
        let observe: curl_debug_callback = { _, kind, bytes, count, context in
            guard kind == CURLINFO_HEADER_OUT else { return 0 }
            transfer(context).send(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        var codes = numbers.map { CCurl_setNumber(handle, $0, $1) }
        codes += texts.map { CCurl_setText(handle, $0, $1) }
        codes += [
            CCurl_setErrorBuffer(handle, text.baseAddress), CCurl_setList(handle, CURLOPT_MAIL_RCPT, recipients),
            CCurl_setUploadSize(handle, curl_off_t(message.bytes.count)), callbacks,
            CCurl_setObserver(handle, context, observe),
        ]
        // Without one of the options, a transfer could be unprotected.
        let failure = codes.first { $0 != CURLE_OK }
        let code = failure ?? withExtendedLifetime(self) { curl_easy_perform(handle) }
        guard code != CURLE_OK else { return }
        // The code of the server's last reply, except that to QUIT; 0 if none has arrived.
        let reply = CCurl_number(handle, CURLINFO_RESPONSE_CODE)
        throw error(code, reply, text.baseAddress.map { String(cString: $0) } ?? "")
    }

    // MARK: Failures

    /// The codes of replies that reject the client instead of the mail, so that the operator can repair it (RFC 4954 section 6).
    private static let authenticationReplies = [530, 534, 535, 538]
    /// The enhanced status codes for a sender (RFC 3463 section 3.2), which many servers check when they are told the recipient.
    private static let senderStatuses = ["5.1.7", "5.1.8"]

    private func error(_ code: CURLcode, _ reply: Int, _ text: String) -> MailError {
        switch code {
        case CURLE_ABORTED_BY_CALLBACK where cancellation.value:
            return .temporary("the sending of the mail was cancelled")
        case CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK: return .temporary("the mail server takes too long")
        case CURLE_LOGIN_DENIED:
            return .temporary("the mail server rejects the user or the password\(codes(reply))")
        case CURLE_USE_SSL_FAILED: return .temporary("the mail server does not offer STARTTLS")
        // For the commands about the mail; and for its content, but also for a greeting.
        case CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY:
            guard (400...599).contains(reply) else { break }
            guard reply >= 500, let step, !Self.authenticationReplies.contains(reply) else {
                return .temporary("the mail server rejects the mail\(words(reply))")
            }
            if step == .sender || failures[reply]?.status.map(Self.senderStatuses.contains) ?? false {
                return .temporary("the mail server rejects the sender\(words(reply))")
            }
            return .permanent("the mail server rejects the mail\(words(reply))")
        default: break
        }
        return .temporary("no mail can be given to the mail server: \(Self.reason(code, text))\(codes(reply))")
    }

    /// The codes of the server's reply, if it is a failure.
    private func codes(_ code: Int) -> String {
        guard (400...599).contains(code) else { return "" }
        return ": \(code)" + (failures[code]?.status.map { " \($0)" } ?? "")
    }

    /// The server's reply without addresses. Of a reply to the content, only the codes, because its words could repeat a code of the mail.
    private func words(_ code: Int) -> String {
        let text = step == .content ? "" : failures[code]?.text.withoutAddresses ?? ""
        return codes(code) + (text.isEmpty ? "" : " \(text)")
    }

    /// libcurl's text about a failure, which names servers and certificates. If it could contain an address, its text about the code.
    private static func reason(_ code: CURLcode, _ text: String) -> String {
        guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: "@")), !text.containsControlCharacter else {
            return String(cString: curl_easy_strerror(code))
        }
        return text
    }

    // MARK: Callbacks

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = message.bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
    }

    /// - Parameter line: one of a reply (RFC 5321 section 4.2): `550 5.1.1 No such user`. The enhanced status code (RFC 3463) is optional.
    fileprivate func receive(_ line: UnsafeRawBufferPointer) {
        let reply = String(decoding: line, as: UTF8.self).prefixMatch(
            of: #/([45][0-9]{2})[ \-]([245]\.[0-9]{1,3}\.[0-9]{1,3})?(.*)/#
        )
        guard let reply, let code = Int(reply.1), failures[code] == nil else { return }
        failures[code] = (reply.2.map(String.init), String(reply.3))
    }

    /// - Parameter command: a command, or its beginning. It can contain the password.
    fileprivate func send(_ command: UnsafeRawBufferPointer) {
        step = Step.allCases.first { command.starts(with: $0.rawValue.utf8) } ?? step
    }

    fileprivate var mustStop: Bool { cancellation.value || ContinuousClock.now >= deadline }
}

/// The transfer that libcurl passes to a function.
private func transfer(_ context: UnsafeMutableRawPointer?) -> SMTPTransfer {
    guard let context else { preconditionFailure("libcurl has called a function without its context") }
    return Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
}
