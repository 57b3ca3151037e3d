public import BusinessLogic
internal import COath

/// The secret that an app of a person shares with the server. Both compute codes from it and from the time (RFC 6238): six digits, each for 30 seconds.
public struct OneTimeCodeSecret: Equatable, Sendable {
    /// The number of digits of a code.
    static let digits = 6
    /// How long a code is the current one, in seconds.
    static let stepSeconds = 30
    /// How many codes before and after the current one are accepted, because clocks differ and typing takes time (RFC 6238 section 5.2).
    private static let tolerance = 1
    /// The number of bytes of a new secret, that of an HMAC with SHA-1 (RFC 4226 section 4).
    private static let size = 20

    /// The secret. Store it encrypted, or where only the server can read it.
    public let bytes: [UInt8]

    /// A secret that was stored.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A new secret of 20 random bytes.
    public static func random() -> OneTimeCodeSecret {
        OneTimeCodeSecret(bytes: randomBytes(size))
    }

    /// The number of the step that a code belongs to.
    ///
    /// Store it, and pass it as `last` from then on, in the transaction that accepts the code: so each code works once.
    ///
    /// - Parameters:
    ///   - code: the code as the person typed it. White space in it is ignored.
    ///   - now: the current time.
    ///   - last: the step of the last code that was accepted; `nil` before the first one.
    /// - Returns: `nil` if the code is not the current one, or the one before or after it, or if its step is not after `last`.
    public func step(of code: String, at now: Timestamp, after last: Int? = nil) -> Int? {
        let digits = String(code.filter { !$0.isWhitespace })
        guard digits.utf8.count == Self.digits, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let step = now.milliseconds / 1000 / Int64(Self.stepSeconds)
        // A step that was used does not hide another one with the same code.
        return (-Self.tolerance...Self.tolerance).map { Int(step) + $0 }
            .first { $0 >= 0 && $0 > last ?? -1 && self.code(ofStep: $0) == digits }
    }

    /// The code of a step, which begins `step` times 30 seconds after 1970; `nil` if there is no memory for it.
    package func code(ofStep step: Int) -> String? {
        guard oath_init() == OATH_OK.rawValue else { return nil }
        var code = [CChar](repeating: 0, count: Self.digits + 1)
        let status = bytes.withUnsafeBytes { secret in
            oath_hotp_generate(
                secret.assumingMemoryBound(to: CChar.self).baseAddress,
                secret.count,
                UInt64(max(0, step)),
                UInt32(Self.digits),
                false,
                -1,
                &code
            )
        }
        guard status == OATH_OK.rawValue else { return nil }
        return String(decoding: code.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
