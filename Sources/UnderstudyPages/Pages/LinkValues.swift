package import BusinessLogic

/// The values that the query of `GET /PAGE?name=value` fills into the fields of a page.
package struct LinkValues: Sendable {
    package private(set) var values: Value.Object = [:]
    package private(set) var errors: [Message] = []
    package private(set) var containsSecret = false

    package init() {}

    /// Ignores names of no field, names that begin with `_`, secret fields that links cannot fill, and a query that is malformed.
    package init(_ query: Substring?, of page: Page) {
        guard let query, let texts = Submission(query: query)?.values else { return }
        var submission = Submission()
        submission.isForm = true
        var names: [String] = []
        for (name, text) in texts where name.utf8.first != UInt8(ascii: "_") && name.utf8.count <= 256 {
            let fieldName = name.prefix { $0 != "." }
            guard let field = page.field(name) ?? page.field(String(fieldName)), field.acceptsLinks,
                field.name.hasSameBytes(as: name) || !field.schema.isScalar
            else { continue }
            submission.values[name] = text
            if !names.contains(field.name) { names.append(field.name) }
        }
        guard let (values, faults) = try? page.accept(submission, for: page.defaultEvent) else { return }
        errors = faults.all.map(\.message)
        for (name, value) in values where names.contains(name) {
            self.values[name] = value
            if page.secrets.contains(name) { containsSecret = true }
        }
    }
}
