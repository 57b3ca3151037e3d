import CSodium
import Synchronization
package import BusinessLogic

/// The secret by which a client accesses its session: 128 bits from the system's cryptographic random source, written as 32
/// hexadecimal digits. The server does not store it.
package struct SessionToken: Equatable {
    private let high: UInt64
    private let low: UInt64

    package static let length = 32

    package static func random() -> SessionToken { batch.withLock { $0.next() } }

    private static let batch = Mutex(TokenBatch())

    /// BLAKE2b (RFC 7693) with 128 bits, as 32 hexadecimal digits.
    package static func hash(_ bytes: [UInt8]) -> String {
        SessionID(bytes: bytes.hashed(16)).map { SessionToken(high: $0.high, low: $0.low).text } ?? ""
    }

    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digits must be in lower case.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == Self.length,
            let first = Self.number(text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            let second = Self.number(text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            let third = Self.number(text.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            let fourth = Self.number(text.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// The digits are in lower case, and the first one is the lowest byte. Reads all digits at once, because every request contains 32.
    private static func number(_ digits: UInt64) -> UInt64? {
        let each: UInt64 = 0x0101_0101_0101_0101
        let letters = digits >> 6 & each
        let values = digits & (0x0F * each) &+ letters &* 9
        // A byte is a digit only if writing its value results in the same byte.
        guard values & (0xF0 * each) == 0 else { return nil }
        let tens = (values &+ 6 &* each) >> 4 & each
        guard values &+ 0x30 &* each &+ tens &* 39 == digits else { return nil }
        var number = values.byteSwapped
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    package var text: String {
        String(unsafeUninitializedCapacity: Self.length) { digits in
            write(to: digits)
            return Self.length
        }
    }

    /// The buffer must have space for at least ``length`` bytes.
    package func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
        for index in 0..<Self.length {
            let word = index < 16 ? high : low
            let digit = UInt8(word >> UInt64(60 - 4 * (index % 16)) & 15)
            digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }

    package var id: SessionID { SessionID(ofToken: high, low) }
}

/// Random tokens, which are created several at a time, because each call of the system takes half a microsecond. It contains no token that
/// it has returned.
private struct TokenBatch: ~Copyable {
    private var halves = [UInt64](repeating: 0, count: 32)
    private var count = 0

    mutating func next() -> SessionToken {
        if count == 0 {
            _ = SessionID.isReady
            randombytes_buf(&halves, halves.count * MemoryLayout<UInt64>.size)
            count = halves.count
        }
        count -= 2
        let token = SessionToken(high: halves[count], low: halves[count + 1])
        (halves[count], halves[count + 1]) = (0, 0)
        return token
    }
}

extension SessionID {
    /// Whether libsodium has started: it has selected its fastest implementation for this processor, and opened its random source.
    static let isReady = sodium_init() >= 0

    init(ofToken high: UInt64, _ low: UInt64) {
        _ = Self.isReady
        let token = (high, low)
        var id: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: token) { token in
            withUnsafeMutableBytes(of: &id) { id in
                let (input, output) = (
                    token.assumingMemoryBound(to: UInt8.self), id.assumingMemoryBound(to: UInt8.self)
                )
                guard let start = output.baseAddress else { return }
                _ = crypto_generichash(start, output.count, input.baseAddress, UInt64(input.count), nil, 0)
            }
        }
        self.init(id.0, id.1)
    }

    /// The first 32 bits in hexadecimal digits, for logs: enough to distinguish sessions, too few to find one.
    package var brief: String { Self.hexadecimal(leading32Bits) }

    package var leading32Bits: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }

    package static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// A number from 0 up to, not including, `count`. It is always the same for the same ID.
    func shard(of count: Int) -> Int { Int(low % UInt64(count)) }
}

extension [UInt8] {
    /// BLAKE2b (RFC 7693) with a size from 16 to 64 bytes, and a key of at most 64 bytes.
    func hashed(_ size: Int, key: [UInt8] = []) -> [UInt8] {
        _ = SessionID.isReady
        var hash = [UInt8](repeating: 0, count: size)
        let status = crypto_generichash(&hash, size, self, UInt64(count), key, key.count)
        // Only lengths that libsodium does not support are an error.
        precondition(status == 0)
        return hash
    }
}
