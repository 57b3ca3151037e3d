/// What a session is found by: 128 bits from the system's cryptographic random source, written as 32 hexadecimal digits.
struct SessionID: Hashable {
    private let high: UInt64
    private let low: UInt64

    /// A new id, which nobody can guess.
    static func random() -> SessionID {
        var generator = SystemRandomNumberGenerator()
        return SessionID(high: generator.next(), low: generator.next())
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id that is written so, in lower case.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count == 32 else { return nil }
        let words = text.withUnsafeBufferPointer { digits in (Self.word(digits, from: 0), Self.word(digits, from: 16)) }
        guard let high = words.0, let low = words.1 else { return nil }
        self.init(high: high, low: low)
    }

    private static func word(_ digits: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64? {
        var word: UInt64 = 0
        for index in start..<start + 16 {
            switch digits[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digits[index] - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                word = word << 4 | UInt64(digits[index] - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return word
    }

    /// A number below `count`, the same for the same id.
    func shard(of count: Int) -> Int {
        Int(low % UInt64(count))
    }

    /// The id as it is written.
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
}
