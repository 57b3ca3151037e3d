/// The commands of a session across all its pages, in order, each with its sequence number.
///
/// Not thread-safe: only one task may use it, and the recorders that write to it, at a time.
package final class CommandHistory {
    package struct Entry: Equatable, Decodable, Sendable {
        package let page: String
        package let command: Command
        /// The bytes that the command takes outside of the entry, stored because removing the entry needs them.
        fileprivate let size: UInt32
        /// Counts from 1 in the session's history.
        package let sequence: Int
        var isError: Bool { command.error != nil }

        package init(sequence: Int, page: String, command: Command) {
            self.init(sequence: sequence, page: page, command: command, size: command.memorySize)
        }

        fileprivate init(sequence: Int, page: consuming String, command: consuming Command, size: Int) {
            self.sequence = sequence
            self.page = page
            self.command = consume command
            self.size = UInt32(clamping: size)
        }

        package static func == (left: Entry, right: Entry) -> Bool {
            left.sequence == right.sequence && left.page == right.page && left.command == right.command
        }

        private enum CodingKeys: CodingKey {
            case sequence, page, command
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                sequence: try container.decode(Int.self, forKey: .sequence),
                page: try container.decode(String.self, forKey: .page),
                command: try container.decode(Command.self, forKey: .command)
            )
        }
    }

    // In 32 bits, because every session has a history.
    private let maximumCount: UInt32
    private var contentBytes: UInt32
    /// The last command's sequence number; 0 before the first command.
    // Without `@exclusivity(unchecked)`, an event takes 950 instructions more in a plain build.
    @exclusivity(unchecked) package private(set) var sequence: Int
    @exclusivity(unchecked) private var entries: [Entry]

    /// The maximum number of commands that clients can request later.
    package var limit: Int { Int(maximumCount) }

    private var contentSize: Int {
        get { Int(contentBytes) }
        set { contentBytes = UInt32(clamping: newValue) }
    }

    /// How many commands beyond ``limit`` accumulate before the oldest are removed together.
    private static let slack = 64

    /// Creates an empty history, or restores one from its ``kept`` entries, whose numbers are consecutive. The limit is at least 1.
    ///
    /// - Parameter sequence: the last command's number, if `kept` is empty.
    package init(limit: Int = 256, kept: [Entry] = [], sequence: Int = 0) {
        maximumCount = UInt32(clamping: limit)
        (entries, self.sequence, contentBytes) = ([], 0, 0)
        restore(kept: kept, sequence: sequence)
    }

    /// See ``init(limit:kept:sequence:)``.
    package func restore(kept: [Entry], sequence: Int) {
        entries = kept
        self.sequence = kept.last?.sequence ?? sequence
        contentSize = Self.contentSize(of: kept[...])
    }

    package func append(_ command: consuming Command, page: String) {
        sequence += 1
        if entries.count == entries.capacity { entries.reserveCapacity(Self.capacity(for: entries.count)) }
        let size = command.memorySize
        contentSize += size
        entries.append(Entry(sequence: sequence, page: page, command: consume command, size: size))
    }

    package var kept: ArraySlice<Entry> { entries.suffix(limit) }

    /// The commands after the one numbered `sequence`, from 0: `nil` if the history no longer contains all of them, and empty from the last number
    /// on.
    package func since(_ sequence: Int) -> ArraySlice<Entry>? {
        guard sequence >= 0 else { return nil }
        let count = max(0, self.sequence - sequence)
        return count <= min(limit, entries.count) ? entries.suffix(count) : nil
    }

    /// The commands after the one numbered `sequence`. The history must still contain all of them: use it for the current event.
    package func current(since sequence: Int) -> ArraySlice<Entry> { entries.suffix(self.sequence - sequence) }

    /// Removes the commands after the one numbered `sequence`, because their event failed. The history must still contain all of
    /// them. The next command gets the first of their numbers.
    package func removeAll(after sequence: Int) {
        contentSize -= Self.contentSize(of: current(since: sequence))
        entries.removeLast(self.sequence - sequence)
        self.sequence = sequence
    }

    /// Empties the texts of what a page has rendered under a key, up to the command numbered `sequence`.
    package func eraseTexts(under key: String, of page: String, through sequence: Int) {
        for index in entries.indices where entries[index].sequence <= sequence {
            let entry = entries[index]
            guard entry.page.hasSameBytes(as: page), case .render(let known, let value, nil) = entry.command,
                known.hasSameBytes(as: key)
            else { continue }
            let command = Command.render(key: key, value: value.withoutTexts, message: nil)
            entries[index] = Entry(sequence: entry.sequence, page: entry.page, command: command)
            contentSize += Int(entries[index].size) - Int(entry.size)
        }
    }

    package func removeAll(through sequence: Int) { removeOldest(max(0, entries.count - (self.sequence - sequence))) }

    /// Removes commands beyond the limit, several at once, because removing the first elements of an array moves all others. Call it between two events.
    package func trim() {
        if entries.count >= limit + Self.slack { removeOldest(entries.count - limit) }
    }

    package var memorySize: Int { contentSize + entries.capacity * MemoryLayout<Entry>.stride + Value.bufferSize }

    /// The bytes outside of the array. The history must still contain all commands after `sequence`.
    func memorySize(since sequence: Int) -> Int { Self.contentSize(of: current(since: sequence)) }

    /// Removes the oldest commands until the history takes at most `maximum` bytes. Call it between two events.
    package func trim(toMemorySize maximum: Int) {
        guard memorySize > maximum else { return }
        // An eighth more than necessary, so that not every event removes commands.
        let target = maximum - maximum / 8 - Value.bufferSize
        let stride = MemoryLayout<Entry>.stride
        // If the array's buffer takes most of the memory, replace it with a smaller one.
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
        entries.reduce(0) { $0 + Int($1.size) }
    }

    /// The new capacity of an array that is full with `count` entries. `Array` would double it.
    private static func capacity(for count: Int) -> Int { count + max(2, count / 4) }
}

extension ArraySlice<CommandHistory.Entry> {
    package var containMessage: Bool { contains { $0.command.message != nil } }
}
