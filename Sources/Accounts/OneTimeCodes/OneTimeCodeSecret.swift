public import BusinessLogic
import COath
import CQRencode
import Glibc

/// The secret that an app of a person shares with the server. Both compute codes from it and from the time (RFC 6238): six digits, each for 30 seconds.
public struct OneTimeCodeSecret: Equatable, Sendable {
    static let digits = 6
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
    public static func random() -> OneTimeCodeSecret { OneTimeCodeSecret(bytes: randomBytes(size)) }

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

/// How a person's app gets the secret.
extension OneTimeCodeSecret {
    /// The secret in base32 (RFC 4648 section 6) in groups of four, for a person who types it.
    public var text: String {
        let digits = Array(base32)
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
            .joined(separator: " ")
    }

    /// The address that apps for one-time codes open: `otpauth://totp/…`.
    ///
    /// - Parameters:
    ///   - account: what distinguishes the account among those of the site, such as an email address.
    ///   - issuer: the name of the site.
    public func address(of account: String, issuer: String) -> String {
        // A colon separates the two.
        let names = [issuer, account].map {
            String(String.UnicodeScalarView($0.unicodeScalars.map { $0 == ":" ? " " : $0 }))
                .percentEncoded(unless: \.isUnreservedInURI)
        }
        return "otpauth://totp/\(names[0]):\(names[1])?secret=\(base32)&issuer=\(names[0])"
    }

    /// The same address as a picture for the camera of a phone: an SVG element that is as large as its place, with its own quiet zone.
    ///
    /// - Returns: `nil` if the address is too long for a QR code, which has at most 2,953 bytes at this level of correction.
    public func qrCode(of account: String, issuer: String) -> String? {
        guard let code = QRcode_encodeString8bit(address(of: account, issuer: issuer), 0, QR_ECLEVEL_L) else {
            return nil
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        // The lowest bit of a module says whether it is black.
        let rows = (0..<width).map { row in
            Self.path(ofRow: row, modules[row * width..<(row + 1) * width].map { $0 & 1 == 1 })
        }
        let size = width + 2 * Self.quietZone
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path stroke="#000" d="\(rows.joined())"/></svg>
            """
    }

    /// A line for each run of black modules in a row. A square for each module would take four times as many bytes.
    private static func path(ofRow row: Int, _ modules: [Bool]) -> String {
        var path = "M\(quietZone) \(row + quietZone).5"
        var start = 0
        while start < modules.count {
            let end = modules[start...].firstIndex(of: !modules[start]) ?? modules.count
            path += modules[start] ? "h\(end - start)" : "m\(end - start) 0"
            start = end
        }
        return path
    }

    /// The empty modules around a QR code (ISO/IEC 18004).
    private static let quietZone = 4

    /// The secret in base32 without padding.
    private var base32: String {
        var text: UnsafeMutablePointer<CChar>?
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { _ = oath_base32_encode($0.baseAddress, $0.count, &text, nil) }
        }
        guard let text else { preconditionFailure("there is no memory for \(bytes.count) bytes in base32") }
        defer { free(text) }
        return String(String(cString: text).prefix { $0 != "=" })
    }
}
