#if canImport(Understudy)
    internal import BusinessLogic
    internal import UnderstudyReplay

    /// What a check does between two situations.
    enum CheckedStep: Equatable {
        /// A client sends an event with its values.
        case event(session: Int, page: String, Event, Value.Object)
        /// Time passes.
        case advance(Duration)

        /// The statement of a rehearsal that does the same.
        func source(sessions: Int) -> String {
            switch self {
            case .advance(let duration): "try await screens.advance(by: .milliseconds(\(duration.wholeMilliseconds)))"
            case .event(let session, let page, let event, let values):
                "try await screens\(sessions == 1 ? "" : "\(session + 1)")[\"\(page)\"].send(\"\(event.name)\"\(values.isEmpty ? "" : ", \(values.swiftLiteral)"))"
            }
        }
    }
#endif
