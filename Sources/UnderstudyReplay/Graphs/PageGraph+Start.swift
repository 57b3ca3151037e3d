public import BusinessLogic
public import UnderstudyPages
public import UnderstudySessions

extension PageGraph {
    /// Where a page's graph starts.
    public struct Start: Sendable {
        private let state: Value.Object
        private let time: Timestamp?

        /// A new session.
        ///
        /// - Parameter values: values of the session, by their names, as JSON.
        public static func newSession(values: Value.Object = [:]) -> Start {
            Start(state: ["values": .object(values), "pages": []], time: nil)
        }

        /// After the last event of a recording.
        ///
        /// - Parameters:
        ///   - recording: the recording.
        ///   - pages: the pages, including all that the recording names.
        /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``.
        public static func end(of recording: Recording, on pages: [Page]) async throws -> Start {
            let session = OfflineSession(Pages(pages))
            try await recording.play(in: session)
            let times = recording.events.flatMap(\.results).filter { $0.name == "clock" }
            let time = times.last.flatMap { try? $0.result.get().integer }
            return Start(
                state: try session.session.state.object ?? [:],
                time: time.map { Timestamp(milliseconds: Int64($0)) }
            )
        }

        /// A state that `understudy step` has returned.
        ///
        /// - Parameters:
        ///   - state: the member `state` of what it has returned.
        ///   - time: the time in this state; if `nil`, a time in 2030.
        public static func state(_ state: Value.Object, at time: Timestamp? = nil) -> Start {
            Start(state: state, time: time)
        }

        /// A session that starts here, and its time in milliseconds since 1970.
        ///
        /// - Parameters:
        ///   - page: the only page.
        ///   - user: the user; `nil` to keep the one of the session.
        func session(on page: Page, of user: User?) throws -> (Session, clock: Int) {
            var state = state
            if let user { state["user"] = user.stored }
            let pages = (state["pages"]?.array ?? []).filter { $0.object?["page"]?.string == page.name }
            state["pages"] = .array(pages)
            let session = OfflineSession(Pages([page]))
            try ApplicationStep.restore(.object(state), in: session)
            return (session.session, time.map { Int($0.milliseconds) } ?? Comparison.start)
        }

        /// - Throws: ``StartError`` if a new session has values that its page does not use, or not as given.
        func check(_ session: Session, _ state: State, of page: String) throws(StartError) {
            guard time == nil, self.state["pages"] == [] else { return }
            if let (name, _) = session.values.unrequested.first {
                throw StartError(description: "The page '\(page)' does not use a value '\(name)' of the session.")
            }
            for (name, value) in self.state["values"]?.object ?? [:] where state.sessionValues[name] != value {
                throw StartError(description: "The value '\(name)' of the session cannot be \(value.text).")
            }
        }
    }

    /// Why a graph cannot start.
    public struct StartError: Error, Equatable, CustomStringConvertible {
        public let description: String
    }
}

extension Recording {
    /// Runs the events in a new session, without comparing their responses.
    ///
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``.
    fileprivate func play(in session: OfflineSession) async throws {
        for (index, event) in events.enumerated() where !event.isAbandoned {
            guard let page = session.pages[named: event.page] else {
                throw RecordingError.unknownPage(event.page, event: index + 1)
            }
            let values = event.values(on: page)
            _ = await session.play(event.event, on: page, values: values, results: event.results)
        }
    }
}
