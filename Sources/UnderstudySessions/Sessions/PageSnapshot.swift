import BusinessLogic
import FoundationEssentials
import UnderstudyPages

/// A page of a session, as a value that can be encoded, and from which its screen can be restored.
struct PageSnapshot: Codable, Sendable {
    /// The page's name.
    let page: String
    /// The version of the controller's state.
    let version: Int
    /// The controller's state as JSON. A text, because a ``/BusinessLogic/Value`` cannot contain every number that a state can.
    let state: String
    let recorder: ResponseRecorder.State

    /// Takes a snapshot of a screen.
    ///
    /// - Throws: `EncodingError` if the controller's state cannot be encoded.
    init(_ screen: Session.Screen) throws {
        page = screen.page.name
        version = screen.controller.version
        state = try screen.controller.encodedState()
        recorder = screen.recorder.state
    }

    /// Restores a new screen of the page.
    ///
    /// - Throws: an error if the controller's state cannot be migrated or decoded. The screen is as before then.
    func restore(_ screen: Session.Screen) throws {
        try screen.controller.restoreState(encoded: state, version: version)
        screen.recorder.state = recorder
    }
}

extension PageSnapshot {
    /// The snapshot as JSON from which it can be decoded.
    var stored: Value {
        ["page": .string(page), "version": Value(version), "state": .string(state), "recorder": recorder.stored]
    }
}

/// Why a saved state cannot be restored.
struct StateVersionError: Error, CustomStringConvertible {
    let saved: Int
    let known: Int

    var description: String { "its state has version \(saved), and the program knows versions up to \(known)" }
}

extension BusinessLogicController {
    fileprivate var version: Int { Self.stateVersion }

    /// The state as JSON.
    fileprivate func encodedState() throws -> String {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return String(decoding: try encoder.encode(state), as: UTF8.self)
    }

    /// Sets the state to one that ``encodedState()`` has returned.
    fileprivate func restoreState(encoded: String, version: Int) throws {
        guard version <= Self.stateVersion else {
            throw StateVersionError(saved: version, known: Self.stateVersion)
        }
        var json = Data(encoded.utf8)
        let decoder = JSONDecoder()
        if version < Self.stateVersion {
            json = Data(try Self.migrateState(decoder.decode(Value.self, from: json), from: version).json)
        }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        state = try decoder.decode(State.self, from: json)
    }
}
