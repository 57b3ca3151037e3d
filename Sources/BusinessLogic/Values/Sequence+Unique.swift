extension Sequence {
    /// The elements without those whose key an earlier element has.
    package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { known.insert(key($0)).inserted }
    }
}
