import BundledControllers
import BusinessLogic

let screen = TerminalScreen(
    ask: { field in
        print("\(field)?", terminator: " ")
        return readLine()
    },
    show: { print($0) }
)
screen.eventable = RegistrationBusinessLogicController()
try await screen.eventable?.dispatchEvent("textFieldDidEndEditing")
