#if canImport(Understudy)
    public import BusinessLogic
    internal import Foundation
    public import Understudy
    internal import UnderstudySessions

    /// The pages of a check, with everything that their controllers share. A check creates them anew for each sequence of events.
    public struct CheckedPages {
        let pages: [Page]
        let clock: ManualClock
        let topics: Topics
        /// What the collaborators store. The parameter is whether times are marked.
        let stored: (_ marksTimes: Bool) -> Value

        /// - Parameters:
        ///   - pages: the pages.
        ///   - clock: the controllers' clock.
        ///   - topics: the topics that the pages follow: those that their collaborators publish.
        ///   - stored: returns what the collaborators store, as far as it decides what later events give. Two situations in which the
        ///     sessions and this value are the same count as one. If collaborators store nothing, leave it out.
        public init(
            _ pages: [Page],
            clock: ManualClock = ManualClock(),
            topics: Topics = Topics(),
            storing stored: @escaping () -> some Encodable = { Int?.none }
        ) {
            self.pages = pages
            self.clock = clock
            self.topics = topics
            self.stored = { Value(encoding: stored(), marksTimes: $0) ?? .null }
        }
    }

    /// What a check has searched.
    public struct CheckResult: Equatable, Sendable {
        /// The number of different situations.
        public let situations: Int
        /// Whether no step leads to a situation that was not checked.
        public let isClosed: Bool
    }

    /// Checks properties of pages in every situation that their events can lead to.
    ///
    /// ```swift
    ///     let result = try await check(
    ///         .never("two customers hold the same slot") { situation in
    ///             situation.sessions.count { $0.rendered("booking")["held"] == "09:00" } > 1
    ///         },
    ///         .sometimes("a slot is booked") { situation in
    ///             situation.sessions.contains { $0.rendered("booking")["message"]?.string == Message.slotBooked.text }
    ///         },
    ///         sessions: 2
    ///     ) {
    ///         let (clock, topics) = (ManualClock(), Topics())
    ///         let slots = Slots(topics: topics, clock: clock)
    ///         return CheckedPages(bookingPages(slots: slots, clock: clock), clock: clock, topics: topics) {
    ///             slots.slots(on: Self.day, for: "other")
    ///         }
    ///     }
    /// ```
    ///
    /// It sends the events of all pages, with the examples that they declare, in all sessions and all orders, and lets time pass until the
    /// next timer. Updates run at once. It searches breadth first, so that a counterexample is as short as possible, and stops where no
    /// situation is new. A counterexample fails the test, with the statements of a rehearsal that leads to it. So does a `sometimes` that
    /// never occurs.
    ///
    /// - Parameters:
    ///   - properties: what must be true.
    ///   - sessions: the number of clients that use the pages at the same time.
    ///   - durations: further durations to let pass, such as that after which a controller without a timer accepts something again.
    ///   - depth: the maximum number of steps in a row.
    ///   - situations: the maximum number of situations.
    ///   - fileID: the file in which a failure is reported; the caller's by default.
    ///   - filePath: the path of that file.
    ///   - line: the line in that file.
    ///   - column: the column in that line.
    ///   - make: creates the pages with new collaborators, so that each sequence of events starts afresh. It must always create the same.
    /// - Throws: ``/Understudy/EventExampleError`` if an example does not match its event; what `make` throws.
    @discardableResult
    public func check(
        _ properties: Property...,
        sessions: Int = 1,
        durations: [Duration] = [],
        depth: Int = 12,
        situations: Int = 1000,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        of make: @escaping () throws -> CheckedPages
    ) async throws -> CheckResult {
        var search = PropertySearch(
            properties: properties,
            sessions: max(1, sessions),
            durations: durations,
            depth: depth,
            situations: situations,
            make: make
        )
        let (result, failures) = try await search.run()
        let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        for failure in failures { origin.fail(failure) }
        return result
    }
#endif
