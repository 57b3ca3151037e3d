internal import BusinessLogic
internal import CCurl

/// Sets the options of a transfer, and keeps the first failure: without one of them, a transfer could be unprotected.
struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// The first failure; `CURLE_OK` if all options could be set.
    private(set) var code = CURLE_OK

    init(_ handle: UnsafeMutableRawPointer) {
        self.handle = handle
        // Signals would interrupt other threads.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_UPLOAD, 1)
        // Only what the settings say: neither a proxy of the environment nor a password of ~/.netrc.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, 0)
        // Otherwise, libcurl does not ask whether to abort while it waits for the reply to QUIT.
        set(CURLOPT_FORBID_REUSE, 1)
    }

    mutating func check(_ code: CURLcode) {
        if self.code == CURLE_OK { self.code = code }
    }

    mutating func set(_ option: CURLoption, _ number: Int) {
        check(CCurl_setNumber(handle, option, number))
    }

    mutating func set(_ option: CURLoption, _ text: String) {
        check(CCurl_setText(handle, option, text))
    }

    /// - Parameter domain: what the client calls itself.
    mutating func set(_ server: MailServer, as domain: String) {
        set(CURLOPT_URL, "\(server.scheme)://\(server.urlHost):\(server.port)/\(domain)")
        let protection = server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        set(CURLOPT_USE_SSL, Int(protection.rawValue))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = server.authorities {
            set(CURLOPT_CAINFO, authorities)
            // Only these: Debian's libcurl also has a folder with those of the system.
            check(CCurl_setText(handle, CURLOPT_CAPATH, nil))
        }
        if let credentials = server.credentials {
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
        }
    }

    /// - Parameter timeout: the time for the whole transfer, of which the connection may take ten seconds.
    mutating func set(timeout: Duration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        set(CURLOPT_TIMEOUT_MS, Int(max(1, min(Int64(Int32.max), timeout.wholeMilliseconds))))
    }
}
