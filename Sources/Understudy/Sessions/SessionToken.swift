/// What a client shows to be let into its session: 128 bits from the system's cryptographic random source, written as 32
/// hexadecimal digits. Nobody but the client keeps it.
struct SessionToken: Equatable {
    private let high: UInt64
    private let low: UInt64

    /// A new token, which nobody can guess.
    static func random() -> SessionToken {
        var generator = SystemRandomNumberGenerator()
        return SessionToken(high: generator.next(), low: generator.next())
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The token that is written so, in lower case.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == 32,
            let first = Self.number(text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            let second = Self.number(text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            let third = Self.number(text.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            let fourth = Self.number(text.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// The number that eight hexadecimal digits in lower case write, the first of which is the lowest byte: all of them at
    /// once, since every request brings 32.
    private static func number(_ digits: UInt64) -> UInt64? {
        let each: UInt64 = 0x0101_0101_0101_0101
        let letters = digits >> 6 & each
        let values = digits & (0x0F * each) &+ letters &* 9
        // Digits are what is written for these values, and nothing else.
        guard values & (0xF0 * each) == 0 else { return nil }
        let tens = (values &+ 6 &* each) >> 4 & each
        guard values &+ 0x30 &* each &+ tens &* 39 == digits else { return nil }
        var number = values.byteSwapped
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    /// The token as it is written.
    var text: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let word = index < 16 ? high : low
                let digit = UInt8(word >> UInt64(60 - 4 * (index % 16)) & 15)
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 32
        }
    }

    /// What the session is found by.
    var id: SessionID { SessionID(high, low) }
}
