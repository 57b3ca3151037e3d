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
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
