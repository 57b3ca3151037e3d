/// The commands in the body of a response to an event, as they are written there.
struct WrittenCommands {
    /// A command with its number in the session.
    struct Command: Equatable {
        let sequence: Int
        package let json: ArraySlice<UInt8>
    }

    /// The commands, in order; empty if the body contains none.
    let all: [Command]

    /// Finds the commands in a body that `CommandResponse` has written, now or in an earlier version.
    init(in body: [UInt8]) {
        var all: [Command] = []
        if let start = body.prefix(100).firstRange(of: Array("\"commands\":[".utf8))?.upperBound {
            var position = start
            while position < body.count, body[position] == UInt8(ascii: "{"),
                let end = Self.endOfObject(in: body, from: position)
            {
                let json = body[position..<end]
                guard let sequence = Self.sequence(of: json) else { break }
                all.append(Command(sequence: sequence, json: json))
                // After the comma, or the end of the array.
                position = end + 1
            }
        }
        self.all = all
    }

    private static func endOfObject(in body: [UInt8], from start: Int) -> Int? {
        var (depth, isInString, index) = (0, false, start)
        while index < body.count {
            switch body[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// A command begins with its number.
    private static func sequence(of json: ArraySlice<UInt8>) -> Int? {
        let start = Array("{\"sequence\":".utf8)
        guard json.starts(with: start) else { return nil }
        let digits = json.dropFirst(start.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
