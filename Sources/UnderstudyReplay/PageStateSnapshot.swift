import BusinessLogic
import Understudy
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
        screen.recorder.clearEvent()
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

extension Session.Screen {
    /// A screen of its own, in front of which nobody is logged in.
    convenience init(_ page: Page) {
        self.init(page, history: CommandHistory(), identity: SessionIdentity(user: nil))
    }

    /// Runs an event, and returns the commands that it gave.
    ///
    /// - Throws: what the controller throws; `EventError` if a value is too long.
    func commands(of example: EventExample) async throws -> [Command] {
        var commands: [Command] = []
        try page.events[example.index].requireFields { example.values[$0] }
        try await run(
            eventAt: example.index,
            with: example.values,
            identity: nil,
            accept: {
                commands = recorder.eventCommands.map(\.command)
            }
        )
        return commands
    }
}
