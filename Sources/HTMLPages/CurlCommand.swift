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
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The text with `%XX` for each byte but the unreserved characters of RFC 3986. Control characters would act on the terminal before
    /// the shell reads the line.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
