/// A screen, or what stands in for one, as its business logic sees it.
///
/// (Article "Unit Testing iOS UIViewControllers".) A view controller conforms to it under UIKit; ``ResponseRecorder``
/// does in tests and behind HTTP.
public protocol Controllable: AnyObject {
    /// The business logic that is told what happens on the screen.
    var eventable: (any Eventable)? { get set }

    /// Called to paint `value` at the place called `key`.
    func render(_ key: String, _ value: Value)

    /// Called to paint a message at the place called `key`. Unless implemented, its text is painted.
    func render(_ key: String, _ message: Message)

    /// Called to ask what the place called `key` holds; `nil` where there is no such place or nothing was entered.
    func getValue(_ key: String) -> Value?

    /// Called to show an alert. Unless implemented, nothing happens.
    func showAlert(_ message: Message)

    /// Called to go to another page, taking `values` along. Unless implemented, nothing happens.
    func goToPage(_ name: String, _ values: Value.Object)
}

extension Controllable {
    public func render(_ key: String, _ message: Message) {
        render(key, .string(message.text))
    }

    public func showAlert(_ message: Message) {}

    public func goToPage(_ name: String, _ values: Value.Object) {}

    /// Goes to a page that takes no values.
    public func goToPage(_ name: String) {
        goToPage(name, [:])
    }
}
