import Glibc

/// A time in seconds after 1970, as in the header field `Date` (RFC 9110, section 5.6.7): `Tue, 14 Nov 2023 22:13:20 GMT`.
package func httpDate(_ seconds: Int) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    // Not strftime(3), whose names are in the language of the program that embeds the server.
    let (days, months) = ("SunMonTueWedThuFriSat", "JanFebMarAprMayJunJulAugSepOctNovDec")
    func name(_ index: Int32, in names: String) -> Substring { names.dropFirst(3 * Int(index)).prefix(3) }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(name(parts.tm_wday, in: days)), \(two(parts.tm_mday)) \(name(parts.tm_mon, in: months)) "
        + "\(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
}
