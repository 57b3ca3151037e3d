#if canImport(Understudy)
    public import BusinessLogic

    /// A statement about every situation that events can lead to.
    public struct Property: Sendable {
        enum Kind {
            case always, never, sometimes
        }

        let name: String
        let kind: Kind
        let isTrue: @Sendable (Situation) -> Bool

        /// A statement that must be true in every situation.
        ///
        /// - Parameters:
        ///   - name: the statement in words, for the report.
        ///   - isTrue: whether it is true in a situation.
        public static func always(_ name: String, _ isTrue: @escaping @Sendable (Situation) -> Bool) -> Property {
            Property(name: name, kind: .always, isTrue: isTrue)
        }

        /// A statement that must be false in every situation.
        public static func never(_ name: String, _ isTrue: @escaping @Sendable (Situation) -> Bool) -> Property {
            Property(name: name, kind: .never, isTrue: isTrue)
        }

        /// A statement that must be true in at least one situation. It shows that the events which a test sends lead there.
        public static func sometimes(_ name: String, _ isTrue: @escaping @Sendable (Situation) -> Bool) -> Property {
            Property(name: name, kind: .sometimes, isTrue: isTrue)
        }

        func isViolated(in situation: Situation) -> Bool {
            switch kind {
            case .always: !isTrue(situation)
            case .never: isTrue(situation)
            case .sometimes: false
            }
        }
    }

    /// What has happened in all sessions after some events.
    public struct Situation: Sendable {
        /// A client's session.
        public struct Session: Sendable {
            /// The logged-in user, if any.
            public let user: User?
            /// The commands of the last event, if it was in this session, and of the updates after it.
            public let commands: [Command]
            let screens: [String: Value.Object]

            /// What a page shows: for each key, the value of the latest `render` command. Empty if the session has not used the page.
            public func rendered(_ page: String) -> Value.Object { screens[page] ?? [:] }
        }

        /// The sessions, in their order.
        public let sessions: [Session]
        /// What ``CheckedPages`` stores.
        public let stored: Value
        /// The time.
        public let now: Timestamp
    }
#endif
