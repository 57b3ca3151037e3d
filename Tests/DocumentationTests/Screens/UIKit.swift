// The part of UIKit that the samples use, so that they compile on Linux. The declarations, including their isolation, are
// Apple's. They do nothing.
@_exported import Foundation

@MainActor open class UIResponder {
    public init() {}
}

@MainActor open class UIView: UIResponder {}

@MainActor open class UILabel: UIView {
    open var text: String?
}

@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchUpInside = Event(rawValue: 1 << 6)
    }

    open var isEnabled = true
    open func addAction(_ action: UIAction, for controlEvents: Event) {}
}

@MainActor open class UIButton: UIControl {}

@MainActor open class UIAction {
    public convenience init(handler: @escaping (UIAction) -> Void) { self.init() }
}

@MainActor open class UITextField: UIControl {
    open var text: String?
    open weak var delegate: (any UITextFieldDelegate)?
}

@MainActor public protocol UITextFieldDelegate: AnyObject {
    func textFieldDidEndEditing(_ textField: UITextField)
}

@MainActor open class UIViewController: UIResponder {
    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! = UIView()
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
    open func viewDidLoad() {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func present(_ viewController: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }
    public convenience init(title: String?, message: String?, preferredStyle: Style) { self.init() }
    open func addAction(_ action: UIAlertAction) {}
}

@MainActor open class UIAlertAction {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }
    public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { self.init() }
}
