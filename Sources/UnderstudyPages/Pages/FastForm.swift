package import BusinessLogic

/// A faster reader than ``Submission`` for the forms that most clients send: texts, each once, whose names are not encoded.
///
/// The initialiser returns `nil` for all other forms, which ``Submission`` reads or rejects. If both read a form, their results
/// are the same.
package struct FastForm {
    package private(set) var index: Int
    package private(set) var values: Value.Object

    /// Returns `nil` if ``Submission`` must read the form.
    package init?(_ body: [UInt8], to page: Page) {
        // Submission rejects a form with more fields.
        guard page.fields.count < Submission.maximumFormFields else { return nil }
        index = page.defaultIndex
        values = Value.Object(capacity: page.fields.count)
        let isPlain = body.withUnsafeBufferPointer { read($0[...], page) }
        guard isPlain else { return nil }
        page.fillUntickedBoxes(in: &values, for: page.events[index])
    }

    private mutating func read(_ body: Slice<UnsafeBufferPointer<UInt8>>, _ page: Page) -> Bool {
        // A form that begins with white space or a bracket may be JSON.
        guard let first = body.first, first.isASCIIAlphanumeric else { return false }
        var hasEvent = false
        var rest = body
        while !rest.isEmpty {
            let field = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[field.endIndex...].dropFirst()
            guard let end = field.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let (name, text) = (field[..<end], field[(end + 1)...])
            guard !name.contains(where: Submission.isEncoding) else { return false }
            if name.elementsEqual("event".utf8) {
                guard !hasEvent, !text.contains(where: Submission.isEncoding),
                    let index = page.eventNames.firstIndex(where: text.elementsEqual)
                else { return false }
                self.index = index
                hasEvent = true
            } else {
                guard readValue(text, of: name, page) else { return false }
            }
        }
        return true
    }

    private mutating func readValue(
        _ text: Slice<UnsafeBufferPointer<UInt8>>,
        of name: Slice<UnsafeBufferPointer<UInt8>>,
        _ page: Page
    ) -> Bool {
        guard let index = page.textFields.firstIndex(where: { name.elementsEqual($0.bytes) }),
            !values.contains(page.textFields[index].name), let text = Submission.decode(text),
            !text.isLonger(than: page.textFields[index].maximumLength), !text.containsNUL
        else { return false }
        values.append(page.textFields[index].name, .string(text))
        return true
    }
}
