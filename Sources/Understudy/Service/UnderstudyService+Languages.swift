import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// The language of a response with these commands; `nil` if they contain no message, or the service has no translations.
    func language(of commands: ArraySlice<CommandHistory.Entry>, for request: Request) -> Language? {
        guard let languages, commands.containMessage else { return nil }
        return languages[request.headers]
    }
}

extension Languages {
    /// The languages in which a service can respond; `nil` if it has no translations.
    ///
    /// - Parameters:
    ///   - translations: the texts of the service's settings. They take precedence over those of the program.
    ///   - pages: the pages of the service.
    ///   - rules: all its rules.
    convenience init?(_ translations: Translations, of pages: Pages, _ rules: [ValidationRule]) {
        let messages = pages.all.flatMap(\.messages) + rules.flatMap(\.messages) + Translations.serviceMessages
        self.init(translations.completed, of: Set(messages.map(\.code)), links: pages.links)
    }
}
