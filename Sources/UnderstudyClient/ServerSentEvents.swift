/// Reads an event stream (HTML standard, section 9.2) that arrives in parts. Lines end with LF or CR LF.
struct ServerSentEvents {
    /// The content is one line or several.
    struct Event: Equatable {
        var name = "message"
        var id: String?
        /// In milliseconds; `nil` if the event does not say it.
        var retry: Int?
        var data: [UInt8] = []
    }

    private var line: [UInt8] = []
    private var event = Event()
    private var hasData = false

    /// Returns the events that the part completes.
    mutating func read(_ part: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in part {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                if hasData { events.append(event) }
                (event, hasData) = (Event(), false)
            } else {
                readLine()
            }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    private mutating func readLine() {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "id": event.id = String(decoding: value, as: UTF8.self)
        case "retry": event.retry = Int(String(decoding: value, as: UTF8.self))
        case "data":
            if hasData { event.data.append(UInt8(ascii: "\n")) }
            event.data += value
            hasData = true
        default: break
        }
    }
}
