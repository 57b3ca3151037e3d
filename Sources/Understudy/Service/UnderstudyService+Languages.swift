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
