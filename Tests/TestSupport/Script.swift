/// What a controller of a test does: its events, its state, and what they use. A ``Scripted`` controller has the rest.
package protocol Script: SendableMetatype {
    associatedtype State: Codable & Sendable = Nothing
    typealias Events = EventTable<Scripted<Self>>
    static var events: Events { get }
    static var initial: State { get }
}

extension Script where State == Nothing {
    package static var initial: Nothing { Nothing() }
}

/// The state of a script that stores nothing.
package struct Nothing: Codable, Sendable {
    package init() {}
}

/// The controller of a script. It has the members of its script.
@dynamicMemberLookup
package final class Scripted<Content: Script>: BusinessLogicController {
    package static var events: EventTable<Scripted> { Content.events }

    package weak var controllable: (any Controllable)?
    package var state = Content.initial
    let script: Content

    package init(_ script: Content) { self.script = script }

    package subscript<Member>(dynamicMember path: KeyPath<Content, Member>) -> Member { script[keyPath: path] }
}

extension Page {
    /// A page with the controller of a script.
    package convenience init(_ name: String, _ script: @autoclosure @escaping @Sendable () -> some Script) {
        self.init(name) { _ in Scripted(script()) }
    }
}
