import BusinessLogic
import Understudy
import FoundationEssentials

/// A page's state between two events, from which it can be restored.
struct PageStateSnapshot {
    /// The controller's state, and what the screen shows.
    let memory: Value
    let rendered: Value.Object
    /// The members of ``memory`` that are null because they are times.
    let times: Set<String>
    /// Identifies the state. Snapshots that differ only in times have the same key.
    let key: [UInt8]
    private let page: SessionSnapshot.PageSnapshot

    /// Takes a snapshot of a screen. Clears the values of its fields, its alert and its destination.
    ///
    /// - Throws: the error of encoding the controller's state.
    init(_ screen: Session.Screen) throws {
        screen.recorder.clearEvent()
        page = SessionSnapshot.PageSnapshot(screen)
        rendered = screen.recorder.rendered
        key = try Array(Self.encoder.encode(page))
        let timeless = try Self.memory(key)
        let timed = try Self.memory(Array(JSONEncoder().encode(page))).object ?? [:]
        memory = timeless
        times = Set(timed.filter { $0.value != .null && timeless.object?[$0.name] == .null }.map(\.name))
    }

    /// A new screen with the state of the snapshot.
    func screen(of page: Page) -> Session.Screen {
        let screen = Session.Screen(page)
        screen.recorder.state = self.page.recorder
        screen.controller.restoreState(self.page.state)
        return screen
    }

    /// The controller's state in an encoded snapshot.
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
    /// A screen with its own history and without a logged-in user.
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
