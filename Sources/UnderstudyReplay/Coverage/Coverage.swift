package import BusinessLogic
package import UnderstudyPages
package import UnderstudySessions

/// Which of the outcomes that pages can have have been shown, by recordings of tests or of real sessions.
///
/// The outcomes are those that the events declare, and the problems of fields that a search finds.
package struct Coverage {
    /// An outcome that no recording contains.
    package struct Missing {
        package let outcome: PageOutcome
        /// The events that lead to it, with their responses as in a recording; `nil` if the search does not reach it.
        package let events: [Value.Object]?
    }

    /// The outcomes of a page.
    package struct Page {
        package let name: String
        package let count: Int
        package let missing: [Missing]

        /// The number of outcomes that were shown.
        package var covered: Int { count - missing.count }
    }

    package private(set) var pages: [Page] = []
    /// Whether the search ended before it had tried everything, because it had taken as long as it may.
    package let isCut: Bool

    /// - Parameters:
    ///   - recordings: the recordings.
    ///   - pages: the pages of the program.
    ///   - limits: how far to search for outcomes.
    ///   - onProgress: is called with the search so far, again and again.
    /// - Throws: ``ComparisonError``.
    package init(
        of recordings: [Recording],
        on pages: [UnderstudyPages.Page],
        limits: Comparison.Limits = Comparison.Limits(),
        onProgress: @escaping (ComparisonReport) -> Void = { _ in }
    ) async throws {
        var known: Set<PageOutcome> = []
        for event in recordings.flatMap(\.events) {
            known.formUnion(PageOutcome.given(by: event.response, event: event.event.name, page: event.page))
        }
        var reached: [PageOutcome: [Value.Object]] = [:]
        let program = ApplicationStep(pages)
        let search = Comparison(old: program, new: program, limits: limits)
        search.onProgress = onProgress
        search.onOutcome = { found in
            let step = found.step
            for outcome in PageOutcome.given(by: found.outcome.response, event: step.event, page: step.page)
            where reached[outcome] == nil {
                reached[outcome] = found.events()
            }
        }
        isCut = try await search.run().pages.contains { $0.untried[.time] != nil }
        for page in pages {
            let found = reached.keys.filter { $0.page == page.name && $0.isProblem }
            let outcomes = Set(PageOutcome.declared(by: page) + found)
            let missing = outcomes.subtracting(known).sorted().map { Missing(outcome: $0, events: reached[$0]) }
            self.pages.append(Page(name: page.name, count: outcomes.count, missing: missing))
        }
    }

    /// The number of outcomes of all pages.
    package var count: Int { pages.reduce(0) { $0 + $1.count } }
    /// The number of those that were shown.
    package var covered: Int { pages.reduce(0) { $0 + $1.covered } }
}
