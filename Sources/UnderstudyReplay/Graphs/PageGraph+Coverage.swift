public import UnderstudyPages
public import UnderstudySessions

extension PageGraph {
    /// Marks the transitions that recordings of tests or of real sessions contain: from the same state, with the same commands, to the same
    /// state. A redacted recording contains other texts than the graph, so that it marks little.
    ///
    /// - Parameters:
    ///   - recordings: the recordings.
    ///   - pages: the pages, including all that the recordings name.
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``; the error of encoding a controller's state.
    public mutating func markCovered(by recordings: [Recording], on pages: [Page]) async throws {
        let pages = Pages(pages)
        guard let page = pages[named: page] else { return }
        let outlines = states.map(\.outline)
        for recording in recordings {
            let session = OfflineSession(pages)
            func outline() throws -> Int? {
                let state = try State(of: page, in: session.session, showsUser: showsUser)
                return outlines.firstIndex(of: state.without(ignored).outline)
            }
            var source = try outline()
            try await recording.play(in: session) { event, outcome in
                let target = try outline()
                defer { source = target }
                guard event.page == page.name, outcome.error == nil else { return }
                for index in transitions.indices
                where transitions[index].source == source && transitions[index].event == event.event
                    && transitions[index].commands == outcome.commands && transitions[index].target == target
                {
                    transitions[index].isCovered = true
                }
            }
        }
    }
}

extension Recording {
    /// Runs the events in a new session, without comparing their responses.
    ///
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``; what `onOutcome` throws.
    func play(in session: OfflineSession, _ onOutcome: (Event, OfflineSession.Outcome) throws -> Void) async throws {
        for (index, event) in events.enumerated() where !event.isAbandoned {
            guard let page = session.pages[named: event.page] else {
                throw RecordingError.unknownPage(event.page, event: index + 1)
            }
            let values = event.values(on: page)
            let outcome = await session.play(event.event, on: page, values: values, results: event.results)
            try onOutcome(event, outcome)
        }
    }
}
