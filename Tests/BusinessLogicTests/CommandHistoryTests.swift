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

    @Test(arguments: [(256, 256), (257, 256), (511, 256), (512, 256), (1000, 256), (5, 2)])
    func `only the last commands are available, up to the limit, before and after trimming`(count: Int, limit: Int) {
        let history = history(of: count, limit: limit)
        let last = entries((count - limit + 1)...count)
        for _ in 1...2 {
            #expect(history.sequence == count)
            #expect(Array(history.kept) == last)
            #expect(history.since(count - limit).map(Array.init) == last)
            #expect(history.since(count - limit - 1) == nil)
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

    @Test func `a history continues from restored entries`() throws {
        let other = CommandHistory(kept: try history(of: 300).kept.map { try decoded(from: "\($0.stored)") })
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
