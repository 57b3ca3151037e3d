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
        /// The bytes that the command takes outside of the entry. They are needed again when it is removed.
        fileprivate let size: UInt32

        /// An entry.
        public init(sequence: Int, page: String, command: Command) {
            self.init(sequence: sequence, page: page, command: command, size: command.memorySize)
        }

        fileprivate init(sequence: Int, page: consuming String, command: consuming Command, size: Int) {
            self.sequence = sequence
            self.page = page
            self.command = command
            self.size = UInt32(clamping: size)
        }

        /// Whether both are the same command at the same place of the history.
        public static func == (left: Entry, right: Entry) -> Bool {
            left.sequence == right.sequence && left.page == right.page && left.command == right.command
        }

        private enum CodingKeys: CodingKey {
            case sequence, page, command
        }

        /// Reads an entry.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                sequence: try container.decode(Int.self, forKey: .sequence),
                page: try container.decode(String.self, forKey: .page),
                command: try container.decode(Command.self, forKey: .command)
            )
        }
    }

    /// How many commands are kept for clients that ask for them later.
    public let limit: Int
    /// How many commands there have been: the last one's sequence number, 0 before the first.
    public private(set) var sequence: Int
    private var entries: [Entry]
    /// The bytes that the entries take outside of the array.
    private var contentSize: Int

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
        contentSize = Self.contentSize(of: kept[...])
    }

    /// Adds a command at the end.
    public func append(_ command: consuming Command, page: String) {
        sequence += 1
        if entries.count == entries.capacity { entries.reserveCapacity(Self.capacity(for: entries.count)) }
        let size = command.memorySize
        contentSize += size
        entries.append(Entry(sequence: sequence, page: page, command: command, size: size))
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
        contentSize -= Self.contentSize(of: current(since: sequence))
        entries.removeLast(self.sequence - sequence)
        self.sequence = sequence
    }

    /// Removes what is past the limit. Call between two events; removing several at once keeps it cheap.
    public func trim() {
        if entries.count >= limit + Self.slack { removeOldest(entries.count - limit) }
    }

    /// The bytes that the history takes.
    package var memorySize: Int {
        contentSize + entries.capacity * MemoryLayout<Entry>.stride + Value.bufferSize
    }

    /// The bytes that the commands after the one numbered `sequence` take outside of the array. None of them may have been
    /// removed yet.
    func memorySize(since sequence: Int) -> Int { Self.contentSize(of: current(since: sequence)) }

    /// Removes the oldest commands until the history takes at most so many bytes. Call between two events.
    package func trim(toMemorySize maximum: Int) {
        guard memorySize > maximum else { return }
        // An eighth more than necessary, so that this is not done for each event.
        let target = maximum - maximum / 8 - Value.bufferSize
        let stride = MemoryLayout<Entry>.stride
        // An array that takes most of the room is made anew, with room to grow once.
        let isRenewed = entries.capacity * stride > target / 2
        var size = contentSize + stride * (isRenewed ? Self.capacity(for: entries.count) : entries.capacity)
        var count = 0
        while count < entries.count, size > target {
            let command = Int(entries[count].size)
            contentSize -= command
            size -= command + (isRenewed ? stride + stride / 4 : 0)
            count += 1
        }
        entries.removeFirst(count)
        if isRenewed { entries.compact() }
    }

    private func removeOldest(_ count: Int) {
        contentSize -= Self.contentSize(of: entries[..<count])
        entries.removeFirst(count)
        if entries.capacity > 2 * (limit + Self.slack) { entries.compact() }
    }

    private static func contentSize(of entries: ArraySlice<Entry>) -> Int {
        var size = 0
        for index in entries.indices { size += Int(entries[index].size) }
        return size
    }

    /// How much room the array is to have when it is full with so many entries. Unless told, it would have twice as much.
    private static func capacity(for count: Int) -> Int { count + max(2, count / 4) }
}
