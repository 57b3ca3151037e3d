import BusinessLogic
import Foundation
import Testing
import TestSupport

@Suite struct WallClockTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    @Test(
        arguments: [
            (.seconds(15 * 60), 900_000), (.milliseconds(1500), 1500), (.milliseconds(-1500), -1500),
            (.microseconds(1999), 1), (.zero, 0),
        ] as [(Duration, Int64)]
    )
    func `adding a duration adds its whole milliseconds`(duration: Duration, milliseconds: Int64) {
        #expect(start + duration == Timestamp(milliseconds: 1_700_000_000_000 + milliseconds))
    }

    @Test func `the earlier timestamp is the smaller one`() {
        #expect(start < start + .milliseconds(1))
        #expect(!(start < start))
    }

    @Test func `a timestamp is written as its milliseconds`() throws {
        #expect(try json(start) == "1700000000000")
        #expect(try throughJSON(start) == start)
    }

    @Test func `a timestamp is written as null if the encoder omits timestamps`() throws {
        let encoder = JSONEncoder()
        encoder.userInfo[.omitsTimestamps] = true
        #expect(try String(decoding: encoder.encode([start]), as: UTF8.self) == "[null]")
    }
}
