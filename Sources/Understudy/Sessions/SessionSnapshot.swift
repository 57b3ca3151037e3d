package import BusinessLogic
import FoundationEssentials

/// Everything that a session holds, as one value that can be encoded, and from which the session can go on: later, or
/// on another machine.
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

        /// Decodes a page's state, of the type that the page's controller has.
        ///
        /// - Throws: `DecodingError` also where the pages are not in `userInfo[.pages]`, or there is no page of that name.
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
    let replies: IdempotencyCache
    let pages: [PageSnapshot]
}

extension CodingUserInfoKey {
    /// The pages whose states are to be decoded.
    static let pages = CodingUserInfoKey("understudy.pages")
}

extension Session {
    /// Everything that the session holds. Ask in its turn.
    var snapshot: SessionSnapshot {
        SessionSnapshot(
            created: created,
            user: identity.user,
            sequence: history.sequence,
            history: Array(history.kept),
            replies: replies,
            pages: screens.map(SessionSnapshot.PageSnapshot.init)
        )
    }

    /// A session that goes on where the one of the snapshot was. Pages that are no longer served are left out.
    convenience init(_ snapshot: SessionSnapshot, pages: Pages, id: SessionID) {
        let history = CommandHistory(kept: snapshot.history, sequence: snapshot.sequence)
        self.init(id: id, now: snapshot.created, history: history, user: snapshot.user)
        replies = snapshot.replies
        for kept in snapshot.pages {
            guard let page = pages[named: kept.page] else { continue }
            let screen = add(page)
            screen.recorder.state = kept.recorder
            screen.controller.putBack(kept.state)
            screen.measure()
        }
    }
}

extension BusinessLogicController {
    /// The state, whatever its type is.
    var anyState: any Codable & Sendable { state }

    /// Puts a state back that ``anyState`` was; one of another type is left out.
    package func putBack(_ state: any Codable & Sendable) {
        if let state = state as? State { self.state = state }
    }
}
