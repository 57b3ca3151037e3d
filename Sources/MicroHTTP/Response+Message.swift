import CMicroHTTPD
import Glibc
import HTTPMessages

extension Response {
    /// The message has `Connection: close`, for responses that the server sends without libmicrohttpd. The response to a HEAD request has no body.
    func message(hasBody: Bool) -> [CChar] {
        var lines = ["HTTP/1.1 \(status) \(String(cString: CMicroHTTPD_reason(UInt32(clamping: status))))"]
        lines += ["Date: \(httpDate(time(nil)))", "Connection: close", "Content-Length: \(body.count)"]
        // Leaves out fields that would end their line, as libmicrohttpd does.
        lines += fields.map { "\($0.name): \($0.value)" }.filter { !$0.utf8.contains(13) && !$0.utf8.contains(10) }
        let head = (lines + ["", ""]).joined(separator: "\r\n").utf8
        return (hasBody ? head + body : Array(head)).map(CChar.init(bitPattern:))
    }
}
