import BusinessLogic

/// The command for a POSIX shell that sends an event as a form, whatever its values contain.
struct CurlCommand {
    /// The values by field; a field without a value gets a placeholder, which the person replaces.
    let fields: [(name: String, value: String?)]
    let url: String

    var text: String {
        let options = fields.map { name, value in
            if let value {
                " -d " + Self.quoted("\(Self.encoded(name))=\(Self.encoded(value))")
            } else {
                " --data-urlencode " + Self.quoted("\(name)=…")
            }
        }
        return "curl -c jar -b jar\(options.joined()) " + Self.quoted(url)
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingBytes("'", with: #"'\''"#) + "'"
    }

    /// Percent-encoded, because control characters would act on the terminal before the shell reads the line.
    private static func encoded(_ text: String) -> String { text.percentEncoded(unless: \.isUnreservedInURI) }
}
