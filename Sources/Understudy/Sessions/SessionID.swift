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
    init?(_ text: some Collection<UInt8>) {
        guard text.count == 32 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in text.enumerated() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if index < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
        }
        self.init(high: words.0, low: words.1)
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
