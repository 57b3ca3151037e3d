import BusinessLogic

/// A random source with a predictable sequence: first the numbers that a test gives, then pseudorandom numbers that depend only
/// on a seed. Any number of tasks may use it at the same time.
///
/// The pseudorandom numbers are those of SplitMix64, as in <https://prng.di.unimi.it/splitmix64.c>.
public final class SequenceRandom: RandomNumberGenerator, Sendable {
    private struct State {
        var given: ArraySlice<UInt64>
        var seed: UInt64
    }

    private let state: LockedValue<State>

    /// Creates a random source that returns the given numbers, and then the pseudorandom numbers of the seed.
    public init(_ numbers: [UInt64] = [], seed: UInt64 = 0) {
        state = LockedValue(State(given: numbers[...], seed: seed))
    }

    /// Appends numbers to the sequence, before the pseudorandom ones.
    public func give(_ numbers: UInt64...) { state.change { $0.given += numbers } }

    /// Makes `Int.random(in: range, using: &random)` return `number`: appends the number from which Swift's standard library
    /// computes it. A small number would not work, because the standard library rejects numbers that would bias the result.
    ///
    /// `randomElement(using:)` draws an index: after `give(2, in: 0...4)` it returns the third of five elements.
    ///
    /// - Precondition: the range contains the number.
    public func give(_ number: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(number), "\(number) is not in \(range)")
        func offset(of number: Int) -> UInt64 { UInt64(UInt(bitPattern: number &- range.lowerBound)) }
        let last = offset(of: range.upperBound)
        if last == .max { return give(UInt64(bitPattern: Int64(number))) }
        // The standard library multiplies the random number by the size of the range. It returns the upper half of the
        // product, and rejects a product with a small lower half. This is the greatest random number that gives `number`,
        // which has the greatest lower half.
        give((last + 1).dividingFullWidth((high: offset(of: number), low: .max)).quotient)
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
