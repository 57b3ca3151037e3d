/// What a recorder stores between two events, without the history.
package struct ScreenContent: Sendable {
    var rendered: Value.Object = [:]
    var messages = RenderedMessages()
    var values: Value.Object = [:]
    var outcome = Outcome.none

    init() {}

    /// The alert and the destination of the last event. On the heap, because most events have neither.
    indirect enum Outcome: Equatable {
        case none
        case shown(alert: Message?, destination: ResponseRecorder.Destination?)

        init(alert: Message?, destination: ResponseRecorder.Destination?) {
            self = alert == nil && destination == nil ? .none : .shown(alert: alert, destination: destination)
        }
    }

    var alert: Message? {
        if case .shown(let alert, _) = outcome { alert } else { nil }
    }

    var destination: ResponseRecorder.Destination? {
        if case .shown(_, let destination) = outcome { destination } else { nil }
    }

    var renderedMessages: [ResponseRecorder.RenderedMessage] {
        messages.all.map { .init(key: rendered[$0.position].name, message: $0.message) }
    }

    /// Clears the alert and the destination of the previous event.
    mutating func apply(_ entries: ArraySlice<CommandHistory.Entry>, of page: String) {
        outcome = .none
        show(entries, of: page)
    }

    mutating func show(_ entries: ArraySlice<CommandHistory.Entry>, of page: String) {
        // Iterating over the elements would copy each command.
        for index in entries.indices where entries[index].page.hasSameBytes(as: page) {
            switch entries[index].command {
            case .render(let key, let value, let message):
                let position = rendered.setValue(value, for: key)
                messages.set(message, at: position)
            case .showAlert(let message): outcome = .shown(alert: message, destination: destination)
            case .goToPage(let name, let values):
                outcome = .shown(alert: alert, destination: .init(name: name, values: values))
            }
        }
    }

    mutating func fill(_ values: Value.Object, dropping secrets: [String]) {
        for index in values.members.indices where !secrets.contains(values.members[index].name) {
            self.values.setValue(values.members[index].value, for: values.members[index].name)
        }
    }

    var memorySize: Int {
        var size = rendered.memorySize + messages.memorySize + values.memorySize
        if case .shown(let alert, let destination) = outcome {
            size += Value.bufferSize + MemoryLayout<(Message?, ResponseRecorder.Destination?)>.size
            if let alert { size += alert.memorySize }
            if let destination { size += destination.name.memorySize + destination.values.memorySize }
        }
        return size
    }
}

extension ScreenContent: Equatable {
    package static func == (left: ScreenContent, right: ScreenContent) -> Bool {
        left.rendered == right.rendered && left.renderedMessages == right.renderedMessages
            && left.outcome == right.outcome && left.values == right.values
    }
}
