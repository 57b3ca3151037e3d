/// The exchanges that wait for a connection, the oldest first.
struct CallQueue {
    private var elements: ContiguousArray<Exchange> = []
    /// The position of the oldest.
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }

    mutating func append(_ exchange: Exchange) {
        elements.append(exchange)
    }

    /// Removes and returns the first exchange that fulfils a condition.
    mutating func popFirst(where condition: (Exchange) -> Bool) -> Exchange? {
        guard let index = elements[head...].firstIndex(where: condition) else { return nil }
        guard index == head else { return elements.remove(at: index) }
        defer {
            head += 1
            compact()
        }
        return elements[head]
    }

    /// Removes and returns the exchanges that fulfil a condition.
    mutating func remove(where condition: (Exchange) -> Bool) -> [Exchange] {
        let removed = elements[head...].filter(condition)
        guard !removed.isEmpty else { return [] }
        elements = ContiguousArray(elements[head...].filter { !condition($0) })
        head = 0
        return removed
    }

    /// The earliest deadline of all.
    var earliestDeadline: ContinuousClock.Instant? {
        elements[head...].lazy.map(\.deadline).min()
    }

    /// Frees the memory of removed exchanges, at a constant average cost.
    private mutating func compact() {
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }
}
