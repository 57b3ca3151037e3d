import BusinessLogic
import UnderstudyPages

extension Recording {
    /// Reads a recording. Skips an incomplete last line; see ``isCut``.
    ///
    /// - Throws: ``RecordingError`` if the bytes are not a valid recording.
    public init(_ bytes: [UInt8]) throws(RecordingError) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, let header = try? JSONReader.read(Array(first)).object,
            let format = header["recording"]?.integer
        else { throw .noRecording }
        guard format == Self.format else { throw .otherFormat(format) }
        guard let understudy = header["understudy"]?.string, let started = header["started"]?.integer,
            let isRedacted = header["redacted"]?.boolean
        else { throw .malformedLine(1) }
        self.understudy = understudy
        self.started = Timestamp(milliseconds: Int64(started))
        self.isRedacted = isRedacted
        agent = header["agent"]?.string
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard let value = try? JSONReader.read(Array(line)) else {
                guard index == lines.count - 1 else { throw .malformedLine(index + 1) }
                isCut = true
                return
            }
            guard let event = Event(value) else { throw .malformedLine(index + 1) }
            events.append(event)
        }
    }

    var header: Value {
        var header: Value.Object = [
            "recording": Value(Self.format), "understudy": .string(understudy),
            "started": Value(Int(started.milliseconds)), "redacted": .boolean(isRedacted),
        ]
        header["agent"] = agent.map(Value.string)
        return .object(header)
    }
}

extension Recording.Event {
    init?(_ value: Value) {
        guard let object = value.object, let page = object["page"]?.string, let event = object["event"]?.string,
            let values = object["values"]?.object, let erased = object["erased"]?.array,
            let results = object["answers"]?.array, let commands = object["commands"]?.array
        else { return nil }
        self.page = page
        self.event = Event(event)
        self.values = values
        self.erased = erased.compactMap(\.string)
        self.results = results.compactMap(CollaboratorLog.Entry.init)
        let parsed = commands.compactMap { $0.object.flatMap { try? Command(json: $0) } }
        failure = object["failure"].flatMap(CollaboratorFailure.init(recorded:))
        guard self.erased.count == erased.count, self.results.count == results.count,
            parsed.count == commands.count, (failure == nil) == (object["failure"] == nil),
            object["problem"] == nil || object["problem"]?.object != nil
        else { return nil }
        var response: Value.Object = [:]
        for name in EventResponse.members { response[name] = object[name] }
        self.commands = parsed
        self.response = response
    }

    package var json: [UInt8] {
        var line: Value.Object = [
            "page": .string(page), "event": .string(event.name), "values": .object(values),
            "erased": .array(erased.map(Value.string)), "answers": .array(results.map(\.value)),
        ]
        for (name, value) in response { line.append(name, value) }
        return Value.object(line).json
    }
}
