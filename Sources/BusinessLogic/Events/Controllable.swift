/// A screen that a controller drives.
///
/// In an app, a view controller conforms to it. In tests and in the service, ``ResponseRecorder`` does. The protocol is from the
/// article "Unit Testing iOS UIViewControllers".
public protocol Controllable: AnyObject {
    /// The controller that receives the screen's events.
    var eventable: (any Eventable)? { get set }

    /// Shows `value` under `key`.
    func render(_ key: String, _ value: Value)

    /// Shows a message under `key`. The default implementation renders the message's text.
    func render(_ key: String, _ message: Message)

    /// Returns the value of the field `key`, or `nil` if there is no such field or the user has entered nothing.
    func getValue(_ key: String) -> Value?

    /// Shows an alert. The default implementation does nothing.
    func showAlert(_ message: Message)

    /// Goes to another page, which receives `values`. The default implementation does nothing.
    func goToPage(_ name: String, _ values: Value.Object)
}

extension Controllable {
    public func render(_ key: String, _ message: Message) { render(key, .string(message.text)) }

    public func showAlert(_ message: Message) {}

    public func goToPage(_ name: String, _ values: Value.Object) {}

    /// Goes to another page, which receives no values.
    public func goToPage(_ name: String) { goToPage(name, [:]) }
}
