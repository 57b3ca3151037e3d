package import BusinessLogic

extension Problem.Code {
    /// Translations contain the title as `problem.CODE`.
    var message: Message { Message(code: "problem.\(rawValue)", text: title) }
}

extension Translations {
    /// The German texts of ``serviceMessages``.
    package static let service = Translations(bundled: PackageResources.Localizable_xcstrings)

    /// The translations in a catalog of this package.
    package init(bundled catalog: [UInt8]) {
        do { try self.init(catalog: catalog) } catch { preconditionFailure("Localizable.xcstrings: \(error)") }
    }

    /// The titles of all problems, what is wrong with a value, and the formats of values.
    package static var serviceMessages: [Message] {
        Problem.Code.allCases.map(\.message) + FieldFault.messages + ValueFormat.messages
    }

    /// These translations, with those of the service's own messages in the same languages.
    package var completed: Translations {
        let known = Set(languages.flatMap(LanguageTag.truncations))
        return Translations(Translations.service.templates.filter { known.contains($0.key) }).merging(self)
    }
}
