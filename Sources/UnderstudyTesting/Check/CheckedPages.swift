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
            self.stored = { marksTimes in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                if marksTimes { encoder.marksTimes() }
                guard let data = try? encoder.encode([stored()]) else { return .null }
                return (try? JSONDecoder().decode([Value].self, from: data))?.first ?? .null
            }
        }
    }
#endif
