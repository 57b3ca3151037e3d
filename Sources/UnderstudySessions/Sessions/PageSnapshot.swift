import BusinessLogic
import FoundationEssentials
import UnderstudyPages

/// A page of a session, as a value that can be encoded, and from which its screen can be restored.
struct PageSnapshot: Decodable, Equatable, Sendable {
    let page: String
    let version: Int
    /// The controller's state as JSON. A text, because a ``/BusinessLogic/Value`` cannot contain every number that a state can.
    let state: String
    let recorder: ScreenContent
    /// `nil` if the page declares none.
    let updates: UpdateProgress?

    /// If `isSorted`, equal states are equal texts, which takes longer.
    init(_ screen: Session.Screen, isSorted: Bool = false) throws {
        page = screen.page.name
        version = screen.controller.version
        state = try screen.controller.state.encoded(isSorted: isSorted)
        recorder = screen.recorder.state
        updates = screen.updates?.progress
    }

    /// If the controller's state cannot be migrated or decoded, this throws, and the screen is as before.
    func restore(_ screen: Session.Screen) throws {
        try screen.controller.restoreState(encoded: state, version: version)
        screen.recorder.state = recorder
        if let updates { screen.updates?.progress = updates }
    }

    var stored: Value {
        var value: Value.Object = [
            "page": .string(page), "version": Value(version), "state": .string(state), "recorder": recorder.stored,
        ]
        value["updates"] = updates?.stored
        return .object(value)
    }
}

extension BusinessLogicController {
    var version: Int { Self.stateVersion }

    fileprivate func restoreState(encoded: String, version: Int) throws {
        guard version <= Self.stateVersion else { throw SavedVersionError(saved: version, known: Self.stateVersion) }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        var json = Array(encoded.utf8)
        if version < Self.stateVersion {
            json = try Self.migrateState(decoder.decode(Value.self, from: Data(json)), from: version).json
        }
        state = try decoder.decode(State.self, from: json, completedBy: { try state.encoded() })
    }
}

extension Encodable {
    /// If `marksTimes`, times are objects with the member `Timestamp.mark`.
    func encoded(isSorted: Bool = false, marksTimes: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        if isSorted { encoder.outputFormatting = .sortedKeys }
        if marksTimes { encoder.marksTimes() }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
