package import BusinessLogic

/// What later events depend on in a session's state: without the screens, which controllers cannot read.
///
/// The values of fields are left out as well, because the search sends each event with its values; and so are the timers that have run,
/// because a step returns those that can still run.
package struct SessionOutline {
    /// The user, the session's values and its key.
    let context: Value
    /// The state of each page that the session has used.
    let pages: [String: Value]

    /// - Parameters:
    ///   - state: what a step has returned as `state`.
    ///   - clock: times are relative to it; `nil` to keep them.
    package init(_ state: Value, at clock: Int?) {
        var context = state.object ?? [:]
        var pages: [String: Value] = [:]
        for page in context["pages"]?.array ?? [] {
            guard let page = page.object, let name = page["page"]?.string else { continue }
            let text = page["state"]?.string ?? ""
            let state = (try? JSONReader.read(Array(text.utf8))) ?? .string(text)
            let outline: Value = ["version": page["version"] ?? .null, "state": state]
            pages[name] = clock.map { outline.relative(to: $0) } ?? outline
        }
        context["pages"] = nil
        self.context = clock.map { Value.object(context).relative(to: $0) } ?? .object(context)
        self.pages = pages
    }

    /// Everything in one value.
    package var value: Value {
        var members: Value.Object = ["context": context]
        for (name, state) in pages.sorted(by: { $0.key < $1.key }) { members.append(name, state) }
        return .object(members)
    }
}

/// The times that states contain as numbers: in milliseconds and in seconds since 1970, and in seconds since 2001, as Foundation encodes
/// them. All times in a search are near its clock.
extension Value {
    /// Ten years, in milliseconds.
    private static let nearness = 315_576_000_000.0
    /// From 1970 to 2001, in milliseconds.
    private static let foundationEpoch = 978_307_200_000.0

    /// The value with times relative to a clock. Two values that differ only in when they were stored are equal.
    package func relative(to clock: Int) -> Value {
        switch self {
        case .array(let elements): return .array(elements.map { $0.relative(to: clock) })
        case .object(let object):
            var relative = Value.Object(capacity: object.count)
            for (name, value) in object { relative.append(name, value.relative(to: clock)) }
            return .object(relative)
        case .number: return age(at: clock).map { .string("\($0.unit) \($0.milliseconds)") } ?? self
        case .null, .boolean, .string: return self
        }
    }

    /// The time that a number stands for, in milliseconds after the clock; `nil` if it is no time near the clock.
    private func age(at clock: Int) -> (unit: String, milliseconds: Int)? {
        guard let number = double, number.isFinite else { return nil }
        let times = [
            ("ms", number), ("s", number * 1000), ("s since 2001", number * 1000 + Self.foundationEpoch),
        ]
        for (unit, time) in times where abs(time - Double(clock)) < Self.nearness {
            return (unit, Int((time - Double(clock)).rounded()))
        }
        return nil
    }

    /// Whether another value is the same, or differs only because it was made later: each time in it is the same, or as much later.
    ///
    /// - Parameters:
    ///   - other: the other value.
    ///   - clock: when this value was made, in milliseconds since 1970.
    ///   - duration: how much later the other one was made, in milliseconds.
    func isSame(as other: Value, at clock: Int, plus duration: Int) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.array(let elements), .array(let others)):
            return elements.count == others.count
                && zip(elements, others).allSatisfy { $0.isSame(as: $1, at: clock, plus: duration) }
        case (.object(let object), .object(let others)):
            return object.count == others.count
                && object.allSatisfy { $0.value.isSame(as: others[$0.name] ?? .null, at: clock, plus: duration) }
        case (.number, .number):
            guard let time = age(at: clock), let later = other.age(at: clock), time.unit == later.unit else {
                return false
            }
            return later.milliseconds - time.milliseconds == duration
        case (.string(let text), .string(let other)):
            guard let time = Timestamp(text), let later = Timestamp(other) else { return false }
            // A text may omit the milliseconds.
            return abs(later.milliseconds - time.milliseconds - Int64(duration)) < 1000
        default: return false
        }
    }
}
