import BusinessLogic
import UnderstudyPages

/// Three equivalent curl commands that send a page its default event.
struct CurlExample {
    /// The commands with a sentence before them, as Markdown.
    let text: String

    /// Creates the example for the first page that has examples, or else for the first page. Returns `nil` if there is no page.
    init?(of pages: [Page], below prefix: PathPrefix) {
        let exemplary = pages.first { !$0.examples().isEmpty }
        guard let page = exemplary ?? pages.first else { return nil }
        let event = page.defaultEvent
        // An example's secrets are public, and a form has no null.
        var values = (try? page.examples(of: [event.event]).first?.values) ?? event.exampleValues
        for (name, example) in event.exampleValues
        where values[name] == .null || exemplary == nil && page.secrets.contains(name) {
            values[name] = example
        }
        let place = "localhost:8080\(prefix)/\(page.name)"
        let fields = values.formFields.map { "-d \($0.name.encoded)=\($0.text.encoded)" }
        let form = fields.isEmpty ? "-X POST" : fields.joined(separator: " ")
        var envelope: Value.Object = ["event": .string(event.event.name)]
        if !values.isEmpty { envelope["values"] = .object(values) }
        text = """
            These three are equivalent:

            ```
            curl \(form) \(place)
            curl --json \(values.quoted) \(place)
            curl --json \(envelope.quoted) \(place)
            ```
            """
    }
}

extension Value.Object {
    /// The object in JSON, as one word for a shell.
    fileprivate var quoted: String {
        spaced.shellQuoted
    }

    private var spaced: String {
        "{" + map { "\(Value.string($0.name)): \($0.value.object?.spaced ?? "\($0.value)")" }.joined(separator: ", ")
            + "}"
    }
}

extension String {
    /// The text encoded for a form, so that a shell needs no quotation marks around it.
    fileprivate var encoded: String {
        percentEncoded { $0 == UInt8(ascii: " ") || $0.isUnreservedInURI && $0 != UInt8(ascii: "~") }
            .replacing(" ", with: "+")
    }
}
