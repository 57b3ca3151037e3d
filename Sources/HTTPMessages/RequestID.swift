import Synchronization

/// They differ between processes and between requests.
package enum RequestID {
    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz234567"
    private static let process = UInt64.random(in: 0..<(1 << 35))
    private static let count = Atomic<UInt64>(0)

    package static var processPrefix: String { String(next().prefix(7)) }

    /// Seven characters for the process and eight for the request. A string of this length needs no allocation.
    package static func next() -> String {
        let number = count.add(1, ordering: .relaxed).newValue
        return String(unsafeUninitializedCapacity: 15) { bytes in
            for index in 0..<7 { bytes[index] = digit(process >> UInt64(5 * index)) }
            for index in 0..<8 { bytes[14 - index] = digit(number >> UInt64(5 * index)) }
            return 15
        }
    }

    private static func digit(_ bits: UInt64) -> UInt8 { alphabet.utf8Start[Int(bits & 31)] }

    /// `nil` unless the client's ID is 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
    package static func accepted(_ value: ArraySlice<UInt8>) -> String? {
        guard (1...64).contains(value.count), value.allSatisfy(isAccepted) else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isAccepted(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }
}
