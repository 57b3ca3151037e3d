internal import Addresses
internal import CCurl
internal import FoundationEssentials

extension MailServer {
    /// Parses the URL of a mail server with libcurl, and reads the files.
    ///
    /// With `smtp:`, the server must offer STARTTLS (RFC 3207). If the host is `localhost` or a loopback address, the connection is not
    /// encrypted instead. With `smtps:`, the connection is encrypted from the beginning (RFC 8314). Certificates are always verified.
    ///
    /// - Parameters:
    ///   - url: `smtp://USER:PASSWORD@HOST:PORT`, or the same with `smtps:`. Without a port, it is 587 or 465. The user and the password are optional, and special characters in them are percent-encoded.
    ///   - passwordFile: a file whose first line is the password. It replaces the password of the URL.
    ///   - authorities: a file in PEM with the certificates of the authorities that are trusted, instead of those that the system trusts.
    public init(
        url: String,
        passwordFile: String? = nil,
        authorities: String? = nil
    ) throws(MailSettingError) {
        let url = try MailServerURL(url)
        let credentials = try Self.credentials(url, passwordFile)
        self.init(
            host: url.host,
            port: url.port ?? (url.isTLS ? 465 : 587),
            security: url.isTLS ? .tls : Self.isLoopback(url.host) ? .none : .startTLS,
            credentials: credentials,
            authorities: authorities
        )
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw MailSettingError("the certificates of authorities in '\(authorities)' cannot be read")
        }
    }

    /// Whether a host is this machine, by its name or address.
    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }

    private static func credentials(
        _ url: MailServerURL,
        _ passwordFile: String?
    ) throws(MailSettingError) -> Credentials? {
        if url.user == nil, url.password == nil, passwordFile == nil { return nil }
        guard let user = url.user, !user.isEmpty else {
            throw MailServerURL.invalid("it contains no user for the password")
        }
        guard let password = try passwordFile.map(password) ?? url.password else {
            throw MailServerURL.invalid("it contains a user without a password, and no file has the password")
        }
        guard !password.isEmpty, !password.containsControlCharacter else {
            throw MailServerURL.invalid("the password is empty, or contains a control character")
        }
        return Credentials(user: user, password: password)
    }

    private static func password(_ file: String) throws(MailSettingError) -> String {
        do throws(SecretFileError) { return try SecretFile.firstLine(of: file) } catch {
            throw MailSettingError("the password for the mail server cannot be read from '\(file)'")
        }
    }
}

/// The parts of a URL such as `smtps://USER:PASSWORD@HOST:PORT`. No error contains the user or the password.
private struct MailServerURL {
    let isTLS: Bool
    let user: String?
    let password: String?
    /// A name or an IP address, without brackets.
    let host: String
    let port: UInt16?

    init(_ url: String) throws(MailSettingError) {
        let text = url.lowercased()
        isTLS = text.hasPrefix("smtps://")
        guard isTLS || text.hasPrefix("smtp://") else {
            throw Self.invalid("it does not begin with smtp:// or smtps://")
        }
        guard !url.containsControlCharacter else { throw Self.invalid("it contains a control character") }
        let handle = curl_url()
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, url, 0)
        guard code == CURLUE_OK else { throw Self.invalid(code) }
        func part(_ part: CURLUPart) throws(MailSettingError) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            defer { curl_free(text) }
            switch curl_url_get(handle, part, &text, UInt32(CURLU_URLDECODE)) {
            case CURLUE_OK:
                let value = text.flatMap { String(validatingCString: $0) }
                guard let value else { throw Self.invalid("a part of it is not text in UTF-8") }
                return value
            case CURLUE_NO_USER, CURLUE_NO_PASSWORD, CURLUE_NO_OPTIONS, CURLUE_NO_PORT, CURLUE_NO_QUERY,
                CURLUE_NO_FRAGMENT:
                return nil
            case let code: throw Self.invalid(code)
            }
        }
        // libcurl reads what follows a semicolon in the password as options.
        guard try part(CURLUPART_PATH) == "/", try part(CURLUPART_QUERY) == nil, try part(CURLUPART_FRAGMENT) == nil,
            try part(CURLUPART_OPTIONS) == nil
        else {
            throw Self.invalid("something follows the port. Special characters of the password need the form %2F")
        }
        user = try part(CURLUPART_USER)
        password = try part(CURLUPART_PASSWORD)
        let host = try part(CURLUPART_HOST) ?? ""
        guard !host.isEmpty else { throw Self.invalid("it contains no host") }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = try part(CURLUPART_PORT).flatMap { UInt16($0) }
        guard port != 0 else { throw Self.invalid("the port is not a number from 1 to 65535") }
    }

    private static func invalid(_ code: CURLUcode) -> MailSettingError {
        invalid("libcurl reports '\(String(cString: curl_url_strerror(code)))'")
    }

    static func invalid(_ reason: String) -> MailSettingError {
        MailSettingError(
            """
            the URL of the mail server is invalid: \(reason). Expected smtp://USER:PASSWORD@HOST:PORT, or the same with \
            smtps://, with % before the hexadecimal code of each special character
            """
        )
    }
}
