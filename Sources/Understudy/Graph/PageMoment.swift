import BusinessLogic
import FoundationEssentials

/// A page between two events: what it takes to go on from there.
struct PageMoment {
    /// What the controller remembers, and what is shown.
    let memory: Value
    let rendered: Value.Object
    /// The members of the memory that are null for being points in time.
    let times: Set<String>
    /// The same for two moments that differ in the time only.
    let key: [UInt8]
    private let snapshot: SessionSnapshot.PageSnapshot

    /// The moment in which a screen is. What its last event has left behind is cleared away.
    ///
    /// - Throws: where the controller's state cannot be encoded.
    init(_ screen: Session.Screen) throws {
        screen.recorder.beginEvent()
        screen.recorder.commitEvent()
        for (name, _) in screen.recorder.values { screen.recorder.setValue(nil, for: name) }
        snapshot = SessionSnapshot.PageSnapshot(screen)
        rendered = screen.recorder.rendered
        key = try Array(Self.encoder.encode(snapshot))
        let timeless = try Self.memory(key)
        let timed = try Self.memory(Array(JSONEncoder().encode(snapshot))).object ?? [:]
        memory = timeless
        times = Set(timed.filter { $0.value != .null && timeless.object?[$0.name] == .null }.map(\.name))
    }

    /// A screen that goes on from here.
    func screen(of page: Page) -> Session.Screen {
        let screen = Session.Screen(page)
        screen.recorder.state = snapshot.recorder
        screen.controller.putBack(snapshot.state)
        return screen
    }

    /// What the controller remembers, in an encoded snapshot.
    private static func memory(_ snapshot: [UInt8]) throws -> Value {
        try JSONReader.read(snapshot).object?["state"] ?? .null
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.userInfo[.omitsTimestamps] = true
        encoder.dateEncodingStrategy = .custom { _, encoder in
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
        return encoder
    }
}

/// An event with what the fields that it reads hold.
struct Stimulus {
    let event: Event
    let values: Value.Object
}

extension Page {
    /// The events that may happen, with the values that stand for all others.
    ///
    /// - Throws: ``EventExampleError``.
    func stimuli(of wanted: Set<Event>?) throws(EventExampleError) -> [Stimulus] {
        var stimuli: [Stimulus] = []
        for (declaration, examples) in zip(events, eventExamples) where wanted?.contains(declaration.event) ?? true {
            let examples = examples()
            for example in examples { try EventExampleError.check(example, of: declaration) }
            let cases = examples.isEmpty ? [declaration.standIns] : examples
            stimuli += cases.map { Stimulus(event: declaration.event, values: $0) }
        }
        return stimuli
    }
}

extension EventDeclaration {
    /// Values of which each stands for any of its field's kind.
    var standIns: Value.Object {
        var values: Value.Object = [:]
        for field in reads {
            values[field.name] =
                switch field.kind {
                case .string: "text"
                case .number: 1
                case .boolean: true
                }
        }
        return values
    }
}

extension Session.Screen {
    /// A screen of its own, in front of which nobody is logged in.
    convenience init(_ page: Page) {
        self.init(page, history: CommandHistory(), identity: SessionIdentity(user: nil))
    }

    /// Has an event happen, and says which commands it gave.
    func commands(of stimulus: Stimulus) async throws -> [Command] {
        let start = recorder.history.sequence
        try await recorder.dispatchEvent(stimulus.event, with: stimulus.values)
        return recorder.history.current(since: start).map(\.command)
    }
}
