import BusinessLogic

extension Recording {
    /// Reads a recording.
    ///
    /// - Throws: ``RecordingError`` where it is none. A last line that is cut off is left out; see ``isCut``.
    public init(_ bytes: [UInt8]) throws(RecordingError) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, let header = try? JSONReader.read(Array(first)).object,
            let format = header["recording"]?.integer
        else { throw .noRecording }
        guard (1...Self.format).contains(format) else { throw .otherFormat(format) }
        guard let understudy = header["understudy"]?.string, let started = header["started"]?.integer,
            let isRedacted = header["redacted"]?.boolean
        else { throw .malformedLine(1) }
        self.understudy = understudy
        self.started = Timestamp(milliseconds: Int64(started))
        self.isRedacted = isRedacted
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard let value = try? JSONReader.read(Array(line)) else {
                guard index == lines.count - 1 else { throw .malformedLine(index + 1) }
                isCut = true
                return
            }
            guard var event = Event(value) else { throw .malformedLine(index + 1) }
            if event.failure != nil { event.commands = [] }
            events.append(event)
        }
    }

    /// The first line.
    var header: Value {
        [
            "recording": Value(Self.format), "understudy": .string(understudy),
            "started": Value(Int(started.milliseconds)), "redacted": .boolean(isRedacted),
        ]
    }
}

extension Recording.Event {
    init?(_ value: Value) {
        guard let object = value.object, let page = object["page"]?.string, let event = object["event"]?.string,
            let values = object["values"]?.object, let erased = object["erased"]?.array,
            let answers = object["answers"]?.array, let commands = object["commands"]?.array
        else { return nil }
        self.page = page
        self.event = Event(event)
        self.values = values
        self.erased = erased.compactMap(\.string)
        self.answers = answers.compactMap(CollaboratorLog.Answer.init)
        self.commands = commands.compactMap(Command.init(recorded:))
        failure = object["failure"].flatMap(Recording.Failure.init(recorded:))
        guard self.erased.count == erased.count, self.answers.count == answers.count,
            self.commands.count == commands.count, (failure == nil) == (object["failure"] == nil)
        else { return nil }
    }

    /// The event's line.
    var value: Value {
        var object: Value.Object = [
            "page": .string(page), "event": .string(event.name), "values": .object(values),
            "erased": .array(erased.map(Value.string)), "answers": .array(answers.map(\.value)),
            "commands": .array(commands.map(\.recorded)),
        ]
        object["failure"] = failure?.value
        return .object(object)
    }
}

extension CollaboratorLog.Answer {
    init?(_ value: Value) {
        guard let object = value.object, let name = object["from"]?.string else { return nil }
        if let answer = object["answer"] {
            self.init(name, .success(answer))
        } else if let failure = object["failure"].flatMap(Recording.Failure.init(recorded:)) {
            self.init(name, .failure(failure))
        } else {
            return nil
        }
    }

    var value: Value {
        switch result {
        case .success(let answer): ["from": .string(name), "answer": answer]
        case .failure(let failure): ["from": .string(name), "failure": failure.value]
        }
    }
}

extension Recording.Failure {
    /// What is recorded of an error.
    package init(_ error: any Error) {
        switch error {
        case let failure as Recording.Failure: self = failure
        case CollaboratorError.unavailable(let retryAfter): self = .unavailable(retryAfter: retryAfter)
        case CollaboratorError.overloaded(let retryAfter): self = .overloaded(retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter): self = .tooManyRequests(retryAfter: retryAfter)
        case is CancellationError: self = .cancelled
        default: self = .other
        }
    }

    /// The error that it was, as far as that is known.
    var error: any Error {
        switch self {
        case .unavailable(let retryAfter): CollaboratorError.unavailable(retryAfter: retryAfter)
        case .overloaded(let retryAfter): CollaboratorError.overloaded(retryAfter: retryAfter)
        case .tooManyRequests(let retryAfter): CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        case .cancelled: CancellationError()
        case .other: self
        }
    }

    init?(recorded value: Value) {
        let retryAfter = Duration.milliseconds(value.object?["retryAfter"]?.integer ?? 0)
        switch value.object?["code"]?.string {
        case "unavailable": self = .unavailable(retryAfter: retryAfter)
        case "overloaded": self = .overloaded(retryAfter: retryAfter)
        case "tooManyRequests": self = .tooManyRequests(retryAfter: retryAfter)
        case "cancelled": self = .cancelled
        case "other": self = .other
        default: return nil
        }
    }

    /// The failure as it is recorded, its time in milliseconds.
    var value: Value {
        func value(_ code: String, _ retryAfter: Duration) -> Value {
            ["code": .string(code), "retryAfter": Value(retryAfter.wholeMilliseconds)]
        }
        return switch self {
        case .unavailable(let retryAfter): value("unavailable", retryAfter)
        case .overloaded(let retryAfter): value("overloaded", retryAfter)
        case .tooManyRequests(let retryAfter): value("tooManyRequests", retryAfter)
        case .cancelled: ["code": "cancelled"]
        case .other: ["code": "other"]
        }
    }
}

extension Duration {
    /// Whole milliseconds, as far as an integer holds them.
    var wholeMilliseconds: Int {
        Int(exactly: (self / .milliseconds(1)).rounded()) ?? .max
    }
}

extension Command {
    /// The command as it is recorded: as clients see it, without its place in the history.
    var recorded: Value {
        var object: Value.Object
        var message: Message?
        switch self {
        case .render(let key, let value, let itsMessage):
            object = ["command": "render", "key": .string(key), "value": value]
            message = itsMessage
        case .showAlert(let alert):
            object = ["command": "showAlert", "message": .string(alert.text)]
            message = alert
        case .goToPage(let name, let values):
            object = ["command": "goToPage", "name": .string(name)]
            if !values.isEmpty { object["values"] = .object(values) }
        }
        if let message {
            object["code"] = .string(message.code)
            if !message.parameters.isEmpty { object["parameters"] = .object(message.parameters) }
        }
        return .object(object)
    }

    init?(recorded: Value) {
        guard let object = recorded.object else { return nil }
        func message(_ text: String) -> Message? {
            object["code"]?.string.map {
                Message(code: $0, text: text, parameters: object["parameters"]?.object ?? [:])
            }
        }
        switch (object["command"]?.string, object["key"]?.string, object["value"]) {
        case ("render", let key?, let value?):
            self = .render(key: key, value: value, message: value.string.flatMap(message))
        case ("showAlert", _, _):
            guard let alert = object["message"]?.string.flatMap(message) else { return nil }
            self = .showAlert(alert)
        case ("goToPage", _, _):
            guard let name = object["name"]?.string else { return nil }
            self = .goToPage(name, object["values"]?.object ?? [:])
        default:
            return nil
        }
    }
}
