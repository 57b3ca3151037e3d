struct CommandHistoryTests {
    @Test(
        arguments: [
            (3, 0, 1..<4), (3, 1, 2..<4), (3, 2, 3..<4), (3, 3, 0..<0), (3, 4, 0..<0), (3, .max, 0..<0), (0, 0, 0..<0),
            // A number before the first one.
            (3, -1, nil), (3, -1000, nil), (3, .min, nil), (0, -1, nil), (0, .min, nil),
        ] as [(Int, Int, Range<Int>?)]
    )
    func `the commands after a sequence are all later ones`(count: Int, sequence: Int, numbers: Range<Int>?) {
        #expect(history(of: count).since(sequence).map(Array.init) == numbers.map { entries($0) })
    }

    @Test(arguments: [256, 257, 511, 512, 1000])
    func `only the last 256 commands are available, before and after trimming`(count: Int) {
        let history = history(of: count)
        for _ in 1...2 {
            #expect(history.sequence == count)
            #expect(Array(history.kept) == entries((count - 255)...count))
            #expect(history.since(count - 256).map(Array.init) == entries((count - 255)...count))
            #expect(history.since(count - 257) == nil)
            history.trim()
        }
    }

    @Test func `trimming discards commands beyond the limit, and numbering continues`() {
        let history = history(of: 600)
        #expect(Array(history.current(since: 0)) == entries(1...600))
        history.trim()
        #expect(Array(history.current(since: 0)) == entries(345...600))
        history.append(.render("number", 601), page: "page")
        #expect(Array(history.kept) == entries(346...601))
    }

    @Test func `the limit can be configured`() {
        let history = history(of: 5, limit: 2)
        #expect(Array(history.kept) == entries(4...5))
        #expect(history.since(3).map(Array.init) == entries(4...5))
        #expect(history.since(2) == nil)
    }

    @Test func `a history continues from restored entries`() throws {
        let history = history(of: 300)
        let other = CommandHistory(kept: try history.kept.map { try decoded(from: "\($0.stored)") })
        other.append(.render("number", 301), page: "page")
        #expect(other.sequence == 301)
        #expect(Array(other.kept) == entries(46...301))
        #expect(other.since(45).map(Array.init) == entries(46...301))
        #expect(other.since(44) == nil)
    }

    @Test func `a history without entries continues from its sequence`() {
        let history = CommandHistory(sequence: 7)
        #expect(history.sequence == 7)
        #expect(history.since(7).map(Array.init) == [])
        #expect(history.since(6) == nil)
        history.append(.render("number", 8), page: "page")
        #expect(history.since(7).map(Array.init) == entries(8...8))
    }

    func history(of count: Int, limit: Int = 256) -> CommandHistory {
        let history = CommandHistory(limit: limit)
        for entry in entries(1..<count + 1) { history.append(entry.command, page: entry.page) }
        return history
    }

    func entries(_ numbers: ClosedRange<Int>) -> [CommandHistory.Entry] {
        entries(numbers.lowerBound..<numbers.upperBound + 1)
    }

    func entries(_ numbers: Range<Int>) -> [CommandHistory.Entry] {
        numbers.map { CommandHistory.Entry(sequence: $0, page: "page", command: .render("number", Value($0))) }
    }
}
