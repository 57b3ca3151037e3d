package import BusinessLogic

/// What later events depend on in a session's state: without the screens, which controllers cannot read.
///
/// The values of fields are left out as well, because the search sends each event with its values; and so are the timers that have run,
/// because a step returns those that can still run.
package struct SessionOutline {
    /// The user, the session's values and its key.
    let context: Value
    let pages: [String: Value]

    /// The state is what a step has returned as `outline`. Times are relative to the clock; `nil` to keep them.
    package init(_ state: Value, at clock: Int?) {
        var context = state.object ?? [:]
        var pages: [String: Value] = [:]
        for page in context["pages"]?.array ?? [] {
            guard let name = page["page"]?.string else { continue }
            let text = page["state"]?.string ?? ""
            let state = (try? JSONReader.read(Array(text.utf8))) ?? .string(text)
            let outline: Value = ["version": page["version"] ?? .null, "state": state]
            pages[name] = clock.map { outline.relative(to: $0) } ?? outline
        }
        context["pages"] = nil
        self.context = clock.map { Value.object(context).relative(to: $0) } ?? .object(context)
        self.pages = pages
    }

    package var value: Value {
        var members: Value.Object = ["context": context]
        for (name, state) in pages.sorted(by: { $0.key < $1.key }) { members.append(name, state) }
        return .object(members)
    }
}

/// The times in an outline: objects with the member `Timestamp.mark`. No other number is taken for a time.
extension Value {
    static func time(_ milliseconds: Int) -> Value { [Timestamp.mark: Value(milliseconds)] }

    /// In milliseconds; `nil` if the value is no time.
    var time: Int? {
        guard case .object(let object) = self, object.count == 1 else { return nil }
        return object[Timestamp.mark]?.integer
    }

    /// Two values that differ only in when they were stored are equal.
    package func relative(to clock: Int) -> Value {
        if let time { return .time(time.subtractingSaturated(clock)) }
        switch self {
        case .array(let elements): return .array(elements.map { $0.relative(to: clock) })
        case .object(let object):
            var relative = Value.Object(capacity: object.count)
            for (name, value) in object { relative.append(name, value.relative(to: clock)) }
            return .object(relative)
        case .number, .null, .boolean, .string: return self
        }
    }

    /// Whether another value is the same, or differs only because it was made later, by a duration in milliseconds: each time in it is the same, or
    /// as much later.
    func isSame(as other: Value, plus duration: Int) -> Bool {
        if self == other { return true }
        if let time, let later = other.time { return later.subtractingSaturated(time) == duration }
        switch (self, other) {
        case (.array(let elements), .array(let others)):
            return elements.count == others.count
                && zip(elements, others).allSatisfy { $0.isSame(as: $1, plus: duration) }
        case (.object(let object), .object(let others)):
            return object.count == others.count
                && object.allSatisfy { $0.value.isSame(as: others[$0.name] ?? .null, plus: duration) }
        case (.string(let text), .string(let other)):
            guard let time = Timestamp(text), let later = Timestamp(other) else { return false }
            // A text may omit the milliseconds.
            return later.milliseconds(since: time).subtractingSaturated(Int64(duration)).magnitude < 1000
        default: return false
        }
    }
}
