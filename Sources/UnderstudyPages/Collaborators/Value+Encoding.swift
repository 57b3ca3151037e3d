package import BusinessLogic
package import FoundationEssentials

extension Value {
    /// JSON with sorted members, so that equal values are equal; `nil` if the content cannot be encoded. If `marksTimes`, times are objects with the
    /// member `Timestamp.mark`.
    package init?(encoding content: some Encodable, marksTimes: Bool = false) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if marksTimes { encoder.marksTimes() }
        guard let data = try? encoder.encode(content), let value = try? JSONReader.read(Array(data)) else { return nil }
        self = value
    }
}

extension JSONEncoder {
    /// Writes times as objects with the member `Timestamp.mark`.
    package func marksTimes() {
        userInfo[.marksTimestamps] = true
        dateEncodingStrategy = .custom { date, encoder in
            guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
                return try date.timeIntervalSince1970.encode(to: encoder)
            }
            try Timestamp(milliseconds: milliseconds).encode(to: encoder)
        }
    }
}
