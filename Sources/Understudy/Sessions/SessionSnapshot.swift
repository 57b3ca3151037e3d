package import BusinessLogic
import FoundationEssentials

/// Everything that a session stores, as a value that can be encoded, and from which a session can be restored.
package struct SessionSnapshot: Codable, Sendable {
    /// A page of the session.
    package struct PageSnapshot: Codable, Sendable {
        let page: String
        package let state: any Codable & Sendable
        package let recorder: ResponseRecorder.State

        private enum CodingKeys: CodingKey {
            case page, state, recorder
        }

        package init(_ screen: Session.Screen) {
            page = screen.page.name
            state = screen.controller.anyState
            recorder = screen.recorder.state
        }

        /// Decodes a page's state as the state type of the page's controller.
        ///
        /// - Throws: `DecodingError`, including if `userInfo[.pages]` does not contain a page with that name.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            page = try container.decode(String.self, forKey: .page)
            recorder = try container.decode(ResponseRecorder.State.self, forKey: .recorder)
            let pages = decoder.userInfo[.pages] as? Pages
            guard let known = pages?[named: page] else {
                throw DecodingError.dataCorruptedError(
                    forKey: .page,
                    in: container,
                    debugDescription: "no page '\(page)'"
                )
            }
            state = try known.decodeState(container.superDecoder(forKey: .state))
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(page, forKey: .page)
            try container.encode(recorder, forKey: .recorder)
            try state.encode(to: container.superEncoder(forKey: .state))
        }
    }

    let created: Timestamp
    let user: User?
    let sequence: Int
    let history: [CommandHistory.Entry]
    let idempotencyCache: IdempotencyCache
    /// The session's values by name.
    let values: Value.Object
    let pages: [PageSnapshot]
}

extension CodingUserInfoKey {
    /// The pages of the snapshot's controllers.
    static let pages = CodingUserInfoKey("understudy.pages")
}

extension Session {
    /// Everything that the session stores. Call only while holding the session's lock.
    var snapshot: SessionSnapshot {
        SessionSnapshot(
            created: created,
            user: identity.user,
            sequence: history.sequence,
            history: Array(history.kept),
            idempotencyCache: idempotencyCache,
            values: values.snapshot,
            pages: screens.map(SessionSnapshot.PageSnapshot.init)
        )
    }

    /// Restores a session. Skips pages that are no longer served.
    convenience init(_ snapshot: SessionSnapshot, pages: Pages, id: SessionID) {
        let history = CommandHistory(kept: snapshot.history, sequence: snapshot.sequence)
        self.init(
            id: id,
            now: snapshot.created,
            history: history,
            user: snapshot.user,
            values: SessionValues(snapshot: snapshot.values)
        )
        idempotencyCache = snapshot.idempotencyCache
        for saved in snapshot.pages {
            guard let page = pages[named: saved.page] else { continue }
            let screen = add(page)
            screen.recorder.state = saved.recorder
            screen.controller.restoreState(saved.state)
            screen.updateSize()
        }
    }
}

extension SessionValues {
    /// Restores values. One that is not of the declared type is as in a new session.
    package convenience init(snapshot: Value.Object) {
        self.init(saved: snapshot) { value, type in try? JSONDecoder().decode(type, from: Data(value.json)) }
    }

    /// The values as a snapshot contains them. A value that cannot be encoded is left out.
    package var snapshot: Value.Object {
        let encoder = JSONEncoder()
        // Otherwise, equal values could differ in the order of their members, and a state diagram would have both.
        encoder.outputFormatting = .sortedKeys
        return encoded { value in
            guard let data = try? encoder.encode(value) else { return nil }
            return try? JSONReader.read(Array(data))
        }
    }
}

extension BusinessLogicController {
    /// The state with its type erased.
    var anyState: any Codable & Sendable { state }

    /// Restores a state that ``anyState`` has returned. Ignores a state of another type.
    package func restoreState(_ state: any Codable & Sendable) {
        if let state = state as? State { self.state = state }
    }
}
