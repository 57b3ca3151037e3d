import Foundation

struct WallClockTests {
    let start = Timestamp.ms(1_700_000_000_000)

    @Test(
        arguments: [
            (.seconds(15 * 60), 900_000), (.milliseconds(1500), 1500), (.milliseconds(-1500), -1500),
            (.microseconds(1999), 1), (.zero, 0),
        ] as [(Duration, Int64)]
    )
    func `adding a duration adds its whole milliseconds`(duration: Duration, milliseconds: Int64) {
        #expect(start + duration == .ms(1_700_000_000_000 + milliseconds))
    }

    @Test(arguments: [1, .min, .max, 1_700_000_000_000] as [Int64])
    func `arithmetic on any point in time saturates`(milliseconds: Int64) {
        let time = Timestamp.ms(milliseconds)
        let forever = Duration.seconds(Int64.max)
        #expect(time + forever + forever + forever == .ms(.max))
        #expect(time - forever - forever - forever == .ms(.min))
        #expect(time + .seconds(-1) <= time && time + .seconds(1) >= time)
        #expect(time - .seconds(1) <= time && time - .seconds(-1) >= time)
        #expect(time.milliseconds(since: .ms(.max)) <= 0)
        #expect(time.milliseconds(since: .ms(.min)) >= 0)
    }

    @Test func `a difference is positive if the other point in time is earlier`() {
        #expect((start + .seconds(2)).milliseconds(since: start) == 2000)
        #expect((start - .seconds(2)).milliseconds(since: start) == -2000)
        #expect(Timestamp.ms(.max).milliseconds(since: .ms(-1)) == .max)
        #expect(Timestamp.ms(.min).milliseconds(since: .ms(1)) == .min)
    }

    @Test func `a timestamp is written as its milliseconds`() throws {
        #expect(try json(start) == "1700000000000")
        #expect(try throughJSON(start) == start)
    }
}
