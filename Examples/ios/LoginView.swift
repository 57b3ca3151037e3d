import BundledControllers
import BusinessLogic
import ScreenObservation
import SwiftUI
import UnderstudyClient

/// The screen of the page `login`. After an error, the fields still contain what the user typed.
struct LoginView: View {
    private typealias Logic = LoginBusinessLogicController

    @State private var screen: ObservableScreen
    private let showHome: () -> Void

    init(_ logic: any Eventable, showHome: @escaping () -> Void) {
        _screen = State(wrappedValue: ObservableScreen(logic))
        self.showHome = showHome
    }

    var body: some View {
        Form {
            TextField("Username", text: $screen[Logic.username])
            SecureField("Password", text: $screen[Logic.password])
            Button("Log in") { Task { await screen.send("loginButtonPressed") } }
                .disabled(!screen.isEnabled("loginButtonPressed"))
            if screen.runningEvent != nil { ProgressView() }
            if let message = screen[Logic.message] { Text(message.text) }
            if let error = screen.error { Text(text(of: error)) }
        }
        .alert(screen.alert?.text ?? "", isPresented: $screen.isAlertShown) { Button("OK") {} }
        .onChange(of: screen.destination) { if screen.destination?.name == Destination.home.name { showHome() } }
    }

    private func text(of error: any Error) -> String {
        switch error {
        case EventError.invalidFields: "Please check what you have entered"
        case RemoteError.transport: "The server cannot be reached"
        default: "This does not work now. Please try again later."
        }
    }
}
