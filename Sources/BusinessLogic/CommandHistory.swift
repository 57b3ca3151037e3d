/// The commands of a session over all its pages, in order, each with its sequence number.
///
/// Not thread-safe: it belongs to whoever owns the recorders that write to it.
public final class CommandHistory {
    /// A command, when it came and which page gave it.
    public struct Entry: Equatable, Codable, Sendable {
        /// The command's place in the session's history, from 1.
        public let sequence: Int
        /// The page whose controller gave it.
        public let page: String
        /// The command.
        public let command: Command

        /// An entry.
        public init(sequence: Int, page: String, command: Command) {
            self.sequence = sequence
            self.page = page
            self.command = command
        }
    }

    /// How many commands are kept for those who ask later.
    public let limit: Int
    /// How many commands there have been: the last one's sequence number, 0 before the first.
    public private(set) var sequence: Int
    private var entries: [Entry]

    /// A history, empty or as it was taken out by ``kept``.
    ///
    /// - Parameters:
    ///   - limit: how many commands are kept, at least 1.
    ///   - kept: the entries to go on from, with adjacent sequence numbers.
    ///   - sequence: the last command's number, where none is kept.
    public init(limit: Int = 256, kept: [Entry] = [], sequence: Int = 0) {
        self.limit = limit
        entries = kept
        self.sequence = kept.last?.sequence ?? sequence
    }

    /// Notes a command at the end.
    public func append(_ command: Command, page: String) {
        sequence += 1
        entries.append(Entry(sequence: sequence, page: page, command: command))
    }

    /// The last commands, at most ``limit``.
    public var kept: ArraySlice<Entry> { entries.suffix(limit) }

    /// The commands after the one numbered `sequence`, or `nil` where older ones than those kept are asked for.
    ///
    /// - Parameter sequence: from 0; a smaller one asks for what never was, past the end there is nothing yet.
    public func since(_ sequence: Int) -> ArraySlice<Entry>? {
        guard sequence >= 0 else { return nil }
        let count = max(0, self.sequence - sequence)
        return count <= min(limit, entries.count) ? entries.suffix(count) : nil
    }

    /// The commands after the one numbered `sequence`, of which none may have been forgotten yet: those of the
    /// event that is being handled, however many it gave.
    public func current(since sequence: Int) -> ArraySlice<Entry> {
        entries.suffix(self.sequence - sequence)
    }

    /// Forgets what is past the limit. Call between two events; forgetting in batches keeps it cheap.
    public func trim() {
        if entries.count >= 2 * limit { entries.removeFirst(entries.count - limit) }
    }
}
