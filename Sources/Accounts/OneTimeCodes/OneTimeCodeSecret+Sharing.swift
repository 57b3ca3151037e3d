internal import BusinessLogic
internal import CQRencode

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
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, buffer, bits) = ("", 0, 0)
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return text
    }
}
