#if canImport(Understudy)
    internal import BusinessLogic

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
                "try await screens\(sessions == 1 ? "" : "\(session + 1)")[\"\(page)\"].send(\"\(event.name)\"\(Self.arguments(values)))"
            }
        }

        private static func arguments(_ values: Value.Object) -> String {
            guard !values.isEmpty else { return "" }
            return ", [" + values.map { "\"\($0.name)\": \(literal($0.value))" }.joined(separator: ", ") + "]"
        }

        private static func literal(_ value: Value) -> String {
            switch value {
            case .null: "nil"
            case .string(let text): text.debugDescription
            case .array(let elements): "[" + elements.map(literal).joined(separator: ", ") + "]"
            case .object(let object):
                object.isEmpty
                    ? "[:]" : "[" + object.map { "\"\($0.name)\": \(literal($0.value))" }.joined(separator: ", ") + "]"
            case .boolean, .number: String(decoding: value.json.filter { $0 != 10 }, as: UTF8.self)
            }
        }
    }
#endif
