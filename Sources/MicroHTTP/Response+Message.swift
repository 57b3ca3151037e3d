internal import CMicroHTTPD
internal import Glibc
internal import HTTPMessages

extension Response {
    /// The whole message with `Connection: close`, for responses that the server sends without libmicrohttpd.
    var message: [CChar] {
        var lines = ["HTTP/1.1 \(status) \(String(cString: CMicroHTTPD_reason(UInt32(clamping: status))))"]
        lines += ["Date: \(httpDate(time(nil)))", "Connection: close", "Content-Length: \(body.count)"]
        // Leaves out fields that would end their line, as libmicrohttpd does.
        lines += fields.map { "\($0.name): \($0.value)" }.filter { !$0.utf8.contains(13) && !$0.utf8.contains(10) }
        return ((lines + ["", ""]).joined(separator: "\r\n").utf8 + body).map(CChar.init(bitPattern:))
    }
}

/// A time in seconds after 1970, as in the header field `Date` (RFC 9110, section 5.6.7).
func httpDate(_ seconds: time_t) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    let (days, months) = ("SunMonTueWedThuFriSat", "JanFebMarAprMayJunJulAugSepOctNovDec")
    func name(_ index: Int32, in names: String) -> Substring { names.dropFirst(3 * Int(index)).prefix(3) }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(name(parts.tm_wday, in: days)), \(two(parts.tm_mday)) \(name(parts.tm_mon, in: months)) "
        + "\(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
}
