public import BusinessLogic
public import Observation

/// A screen for any controller, which views of SwiftUI observe.
///
/// ```swift
/// TextField("Username", text: $screen[Logic.username])
/// SecureField("Password", text: $screen[Logic.password])
/// Button("Log in") { Task { await screen.send("loginButtonPressed") } }
///     .disabled(!screen.isEnabled("loginButtonPressed"))
/// ```
///
/// With a `RemoteEventable` instead, the same view uses the logic of a server.
///
/// An event that fails changes nothing but ``error`` and ``faults``: values appear while it runs, and disappear again; alerts and
/// destinations wait for its end. The screen owns its controller.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ObservableScreen {
    /// The alert that an event has shown; `nil` when the user has closed it.
    public var alert: Message?
    /// Where an event has gone; `nil` when the user has come back.
    public var destination: Destination?
    /// Why the last event has failed; `nil` if it has not, or if its task was cancelled.
    public var error: (any Error)?
    /// What is wrong with the fields of the last event, until the user changes them.
    public private(set) var faults: [FieldFault] = []
    /// The event that runs; `nil` if none does.
    public private(set) var runningEvent: Event?

    private var shown: [String: Shown] = [:]
    /// What the user has entered.
    private var values: [String: Value] = [:]
    /// The event whose values have ``faults``.
    private var rejectedEvent: Event?

    /// The values of fields that views show although the user has entered nothing.
    @ObservationIgnored private var initialValues: [String: Value] = [:]
    /// What the current event of a local controller may undo.
    @ObservationIgnored private var before: Before?
    @ObservationIgnored private var lastDestination = 0
    /// The controller.
    @ObservationIgnored public var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }
    private let lock = AsyncLock()

    private struct Shown {
        let value: Value
        let message: Message?
    }

    private struct Before {
        let shown: [String: Shown]
        var alert: Message?
        var destination: Destination?
    }

    /// Where an event has gone, for `sheet(item:)` and `navigationDestination(item:)`.
    public struct Destination: Identifiable, Sendable {
        /// The name of the destination.
        public let name: String
        /// The values that its page receives.
        public let values: Value.Object
        /// Another number for each event, also if it goes to the same page with the same values.
        public let id: Int

        /// The value that fills in a field of the page; `nil` if no value has its type.
        public subscript<Content: ScreenValue>(field: Field<Content>) -> Content? {
            values[field.name].flatMap { Content(screenValue: $0) }
        }
    }

    /// What ``send(_:whileRunning:)`` does while another event runs.
    public enum WhileRunning: Sendable {
        /// It sends nothing: a second tap on a button.
        case drop
        /// It waits, and sends the events in the order of the calls: changes of a text.
        case wait
    }

    /// Creates the screen of a controller, a `RemoteEventable` or an ``/BusinessLogic/UpdatingEventable``.
    public init(_ eventable: any Eventable) {
        self.eventable = eventable
        eventable.controllable = self
    }

    /// Sends an event. Returns when it has ended.
    ///
    /// If it fails, ``error`` says why, and ``faults`` which fields the user must change.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - whileRunning: what to do while another event runs.
    public func send(_ event: Event, whileRunning: WhileRunning = .drop) async {
        switch whileRunning {
        case .drop: guard lock.acquireIfFree() else { return }
        case .wait: guard (try? await lock.acquire()) != nil else { return }
        }
        defer { lock.release() }
        (error, faults, rejectedEvent) = (nil, [], nil)
        runningEvent = event
        do {
            try await eventable?.dispatchEvent(event)
        } catch is CancellationError {
            // The view has disappeared.
        } catch {
            self.error = error
            if case EventError.invalidFields(let faults, _) = error { (self.faults, rejectedEvent) = (faults, event) }
        }
        runningEvent = nil
    }

    /// Whether an event can be sent now: no event runs, and the event is not the last one, whose values have ``faults``.
    public func isEnabled(_ event: Event) -> Bool { runningEvent == nil && (rejectedEvent != event || faults.isEmpty) }

    /// What is wrong with the field, until the user changes it.
    public func fault<Content>(of field: Field<Content>) -> FieldFault? { faults.first { $0.field == field.name } }

    /// Whether there is an ``alert``, for `alert(_:isPresented:)`.
    public var isAlertShown: Bool {
        get { alert != nil }
        set { if !newValue { alert = nil } }
    }
}

// MARK: Fields and outputs

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension ObservableScreen {
    /// The value of a field; `nil` if it has none. `$screen[field]` is its `Binding`.
    public subscript<Content: ScreenValue>(field: Field<Content>) -> Content? {
        get { value(of: field) }
        set { set(newValue?.screenValue, for: field.name) }
    }

    /// The value of a field, or the one with which it starts.
    public subscript<Content: ScreenValue & Hashable>(field: Field<Content>, default initial: Content) -> Content {
        get {
            initialValues[field.name] = initial.screenValue
            return value(of: field) ?? initial
        }
        set { set(newValue.screenValue, for: field.name) }
    }

    /// The text of a field. It starts empty.
    public subscript(field: Field<String>) -> String {
        get { self[field, default: ""] }
        set { self[field, default: ""] = newValue }
    }

    /// The text of a field that need not contain one. It starts empty.
    public subscript(field: Field<String?>) -> String {
        get {
            initialValues[field.name] = ""
            return values[field.name]?.string ?? ""
        }
        set { set(.string(newValue), for: field.name) }
    }

    /// Whether a box is ticked. It starts as declared by ``/BusinessLogic/Field/whenAbsent(_:)``, or not ticked.
    public subscript(field: Field<Bool>) -> Bool {
        get { self[field, default: field.declaration.whenAbsent?.boolean ?? false] }
        set { self[field, default: false] = newValue }
    }

    /// What the screen shows in an output; `nil` for nothing.
    public subscript<Content: ScreenValue>(output: Output<Content>) -> Content? {
        shown[output.key].flatMap { Content(screenValue: $0.value) }
    }

    /// What the screen shows in an output that may be empty; `nil` for nothing.
    public subscript<Content: ScreenValue>(output: Output<Content?>) -> Content? {
        shown[output.key].flatMap { Content(screenValue: $0.value) }
    }

    /// The message that the screen shows in an output; `nil` for none.
    public subscript(output: Output<Message>) -> Message? { shown[output.key]?.message }

    /// The message that the screen shows in an output that may be empty; `nil` for none.
    public subscript(output: Output<Message?>) -> Message? { shown[output.key]?.message }

    private func value<Content: ScreenValue>(of field: Field<Content>) -> Content? {
        values[field.name].flatMap { Content(screenValue: $0) }
    }

    private func set(_ value: Value?, for name: String) {
        // A text field also sets a text that has not changed, when it loses the focus.
        guard value == nil || value != getValue(name) else { return }
        values[name] = value
        if !faults.isEmpty { faults.removeAll { $0.field == name } }
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension ObservableScreen: @MainActor Controllable {
    public func getValue(_ key: String) -> Value? { values[key] ?? initialValues[key] }

    public func render(_ key: String, _ value: Value) { shown[key] = Shown(value: value, message: nil) }

    public func render(_ key: String, _ message: Message) {
        shown[key] = Shown(value: .string(message.text), message: message)
    }

    public func showAlert(_ message: Message) {
        if before == nil { alert = message } else { before?.alert = message }
    }

    public func goToPage(_ name: String, _ values: Value.Object) {
        lastDestination += 1
        let destination = Destination(name: name, values: values, id: lastDestination)
        if before == nil { self.destination = destination } else { before?.destination = destination }
    }
}

// Not isolated, because a cast to an isolated conformance depends on the version of the runtime. Controllers of a screen run where it is.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension ObservableScreen: UndoingScreen {
    package nonisolated func beginEvent() {
        MainActor.assumeIsolated { before = Before(shown: shown) }
    }

    package nonisolated func endEvent(isSuccessful: Bool) {
        MainActor.assumeIsolated {
            guard let before = before.take() else { return }
            if isSuccessful {
                alert = before.alert ?? alert
                destination = before.destination ?? destination
            } else {
                shown = before.shown
            }
        }
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension ObservableScreen.Destination: Hashable {
    /// Whether both are the same event's.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
