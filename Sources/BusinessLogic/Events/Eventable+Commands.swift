/// The commands of a controller, with declared outputs, messages and destinations. Without a screen they do nothing.
extension Eventable {
    /// Shows a value in an output of the screen.
    @inlinable
    public func render<Content: ScreenValue>(_ output: Output<Content>, _ value: Content) {
        if let controllable { output.show(value, on: controllable) }
    }

    /// Shows an alert.
    @inlinable
    public func showAlert(_ message: Message) { controllable?.showAlert(message) }

    /// Goes to another page, which receives the value.
    public func goToPage<Content: ScreenValue>(_ destination: Destination<Content>, _ value: Content) {
        controllable?.goToPage(destination, value)
    }

    /// Goes to another page, which receives the values.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public func goToPage<each Content: ScreenValue>(
        _ destination: Destination<(repeat each Content)>,
        _ values: repeat each Content
    ) {
        controllable?.goToPage(destination, repeat each values)
    }
}

extension Controllable {
    /// Shows a value in an output of the screen.
    // Always inlined, because the code for any type of value is several times slower than that for one type.
    @inlinable
    @inline(__always)
    public func render<Content: ScreenValue>(_ output: Output<Content>, _ value: Content) {
        output.show(value, on: self)
    }

    /// Goes to another page, which receives the value.
    public func goToPage<Content: ScreenValue>(_ destination: Destination<Content>, _ value: Content) {
        send(.goToPage(destination, value))
    }

    /// Goes to another page, which receives the values.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public func goToPage<each Content: ScreenValue>(
        _ destination: Destination<(repeat each Content)>,
        _ values: repeat each Content
    ) {
        send(.goToPage(destination, repeat each values))
    }

    private func send(_ command: Command) {
        if case .goToPage(let name, let values) = command { goToPage(name, values) }
    }
}

extension Output {
    /// Not generic over the screen, so that the controller's module specialises it for the type of the value.
    @inlinable
    func show(_ value: Content, on screen: any Controllable) {
        if let message = value.screenMessage {
            screen.render(key, message)
        } else {
            screen.render(key, value.screenValue)
        }
    }
}
