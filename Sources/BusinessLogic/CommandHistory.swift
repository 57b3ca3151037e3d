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

    /// How many commands are kept for clients that ask for them later.
    public let limit: Int
    /// How many commands there have been: the last one's sequence number, 0 before the first.
    public private(set) var sequence: Int
    private var entries: [Entry]
    /// The bytes that the entries take outside of the array.
    package private(set) var contentSize: Int

    /// How many more commands than ``limit`` may be there before some are removed, so that this is not done for each.
    private static let slack = 64

    /// A history, empty or as it was taken out by ``kept``.
    ///
    /// - Parameters:
    ///   - limit: how many commands are kept, at least 1.
    ///   - kept: the entries to go on from, with adjacent sequence numbers.
    ///   - sequence: the last command's number, if no entry is kept.
    public init(limit: Int = 256, kept: [Entry] = [], sequence: Int = 0) {
        self.limit = limit
        entries = kept
        self.sequence = kept.last?.sequence ?? sequence
        contentSize = kept.reduce(0) { $0 + $1.command.memorySize }
    }

    /// Adds a command at the end.
    public func append(_ command: Command, page: String) {
        sequence += 1
        contentSize += command.memorySize
        entries.append(Entry(sequence: sequence, page: page, command: command))
    }

    /// The last commands, at most ``limit``.
    public var kept: ArraySlice<Entry> { entries.suffix(limit) }

    /// The commands after the one numbered `sequence`, or `nil` if some of them are not kept any more.
    ///
    /// - Parameter sequence: a number from 0. There is nothing yet after the last number and past it.
    public func since(_ sequence: Int) -> ArraySlice<Entry>? {
        guard sequence >= 0 else { return nil }
        let count = max(0, self.sequence - sequence)
        return count <= min(limit, entries.count) ? entries.suffix(count) : nil
    }

    /// The commands after the one numbered `sequence`, of which none may have been removed yet: those of the event that is
    /// being handled, however many it gave.
    public func current(since sequence: Int) -> ArraySlice<Entry> {
        entries.suffix(self.sequence - sequence)
    }

    /// Removes the commands after the one numbered `sequence`, of which none may have been removed yet: their event failed.
    /// The next command gets the first of their numbers.
    public func removeAll(after sequence: Int) {
        removeSizes(of: current(since: sequence))
        entries.removeLast(self.sequence - sequence)
        self.sequence = sequence
    }

    /// Removes what is past the limit. Call between two events; removing several at once keeps it cheap.
    public func trim() {
        if entries.count >= limit + Self.slack { removeOldest(entries.count - limit) }
        // Else the array would make room for twice as many when the limit is passed.
        if entries.count == limit, entries.capacity < limit + Self.slack { entries.reserveCapacity(limit + Self.slack) }
    }

    /// The bytes that the history takes.
    package var memorySize: Int {
        contentSize + entries.capacity * MemoryLayout<Entry>.stride + Value.bufferSize
    }

    /// Removes the oldest commands until the history takes at most so many bytes. Call between two events.
    package func trim(toMemorySize maximum: Int) {
        guard memorySize > maximum else { return }
        // An eighth more than necessary, so that this is not done for each event.
        let target = maximum - maximum / 8 - Value.bufferSize
        var size = contentSize + entries.count * MemoryLayout<Entry>.stride
        var count = 0
        while count < entries.count, size > target {
            size -= MemoryLayout<Entry>.stride + entries[count].command.memorySize
            count += 1
        }
        removeOldest(count)
        // A new array has no more room than it needs.
        entries = Array(ArraySlice(entries))
    }

    private func removeOldest(_ count: Int) {
        removeSizes(of: entries.prefix(count))
        entries.removeFirst(count)
        if entries.capacity > 2 * (limit + Self.slack) { entries = Array(ArraySlice(entries)) }
    }

    private func removeSizes(of entries: ArraySlice<Entry>) {
        for entry in entries { contentSize -= entry.command.memorySize }
    }
}
