/// A random source whose numbers a test knows: those that it is given, and then those that follow from a seed, the same in
/// every run. All who have it share its numbers, and may ask at once.
///
/// The latter are the numbers of SplitMix64, as <https://prng.di.unimi.it/splitmix64.c> has it.
public final class SequenceRandom: RandomNumberGenerator, Sendable {
    private struct State {
        var given: ArraySlice<UInt64>
        var seed: UInt64
    }

    private let state: LockedValue<State>

    /// A random source with those numbers, and then the ones that follow from the seed.
    public init(_ numbers: [UInt64] = [], seed: UInt64 = 0) {
        state = LockedValue(State(given: numbers[...], seed: seed))
    }

    /// Gives these numbers next, after those that were given before.
    public func give(_ numbers: UInt64...) {
        state.change { $0.given += numbers }
    }

    /// Gives a number next, after those that were given before, with which Swift's standard library draws `number` from
    /// `range`: `Int.random(in: range, using: &random)` is `number` then. Small numbers do not do, since the standard library
    /// refuses those that would make a draw unfair.
    ///
    /// An element of an array is drawn by its place: `give(2, in: 0...4)` has `randomElement(using:)` take the third of five.
    ///
    /// A number that is not in the range is a programmer's mistake, and stops the program.
    public func give(_ number: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(number), "\(number) is not in \(range)")
        func place(of number: Int) -> UInt64 { UInt64(UInt(bitPattern: number &- range.lowerBound)) }
        let last = place(of: range.upperBound)
        if last == .max { return give(UInt64(bitPattern: Int64(number))) }
        // The standard library takes the upper half of the product of what it is given and the count of numbers, and refuses
        // what leaves little in the lower half. The last number of those that come to `number` leaves the most there.
        give((last + 1).dividingFullWidth((high: place(of: number), low: .max)).quotient)
    }

    public func next() -> UInt64 {
        state.change { state in
            if let number = state.given.popFirst() { return number }
            state.seed &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state.seed
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
