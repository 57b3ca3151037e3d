import BusinessLogic

/// The command for a POSIX shell that sends an event as a form, whatever its values contain.
struct CurlCommand {
    /// The values by field; a field without a value gets a placeholder, which the person replaces.
    let fields: [(name: String, value: String?)]
    let url: String

    var text: String {
        let options = fields.map { name, value in
            if let value {
                " -d " + "\(Self.encoded(name))=\(Self.encoded(value))".shellQuoted
            } else {
                " --data-urlencode " + "\(name)=…".shellQuoted
            }
        }
        return "curl -c jar -b jar\(options.joined()) " + url.shellQuoted
    }

    /// Percent-encoded, because control characters would act on the terminal before the shell reads the line.
    private static func encoded(_ text: String) -> String { text.percentEncoded(unless: \.isUnreservedInURI) }
}
