internal import BusinessLogic
internal import Glibc

/// The time in the head of a message (RFC 5322 section 3.3), in UTC: `Tue, 14 Nov 2023 22:13:20 +0000`.
enum MailDate {
    static func text(_ time: Timestamp) -> String {
        var (seconds, parts) = (time_t(time.milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        // In English, since no part of the program calls setlocale(3).
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S +0000", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
