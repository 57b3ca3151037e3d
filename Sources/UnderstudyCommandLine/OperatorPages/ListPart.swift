/// The part of a list that a page shows.
struct ListPart<Key: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// The key of the entry after which the part begins; `nil` for the start of the list.
    private(set) var last: Key?
    /// The key of the last entry of the part, if there are more.
    private var end: Key?

    /// The maximum number of entries of a part.
    private static var count: Int { 50 }

    /// How many entries ``cut(_:key:)`` needs at most.
    static var limit: Int { count + 1 }

    /// Whether there are more entries.
    var hasMore: Bool { end != nil }

    /// Goes to the next part. At the end, the list begins again.
    mutating func advance() { last = end }

    /// The entries of the part.
    ///
    /// - Parameter entries: the entries after ``last``, at most ``limit``.
    mutating func cut<Entry>(_ entries: [Entry], key: (Entry) -> Key) -> [Entry] {
        let part = Array(entries.prefix(Self.count))
        end = entries.count > part.count ? part.last.map(key) : nil
        return part
    }
}
