import BusinessLogic

extension Value {
    /// The result of a collaborator at a time of the search, as a recording contains it.
    ///
    /// A result with times contains two answers: `answer` at the start of the search, and `dayLater`. Each number and time that differs in them
    /// moves with the clock.
    func result(at clock: Int) -> Value {
        guard var members = object, let answer = members["answer"], let later = members["dayLater"] else { return self }
        members["answer"] = answer.moved(by: Double(clock - Comparison.start) / 86_400_000, to: later)
        members["dayLater"] = nil
        return .object(members)
    }

    /// The value after a number of days, if it is `later` after one day.
    private func moved(by days: Double, to later: Value) -> Value {
        switch (self, later) {
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            return .array(zip(elements, others).map { $0.moved(by: days, to: $1) })
        case (.object(let object), .object(let others)):
            var moved = object
            for (name, value) in object { moved[name] = others[name].map { value.moved(by: days, to: $0) } ?? value }
            return .object(moved)
        case (.number(.integer(let number)), .number(.integer(let other))):
            let change = (Double(other) - Double(number)) * days
            return Int(exactly: change.rounded()).map { Value(number.addingSaturated($0)) } ?? self
        case (.number, .number):
            guard let number = double, let other = later.double else { return self }
            let moved = number + (other - number) * days
            return moved.isFinite ? Value(moved) : self
        case (.string(let text), .string(let other)):
            guard let time = Timestamp(text), let later = Timestamp(other) else { return self }
            let change = Double(later.milliseconds(since: time)) * days
            return Int(exactly: change.rounded()).map { "\(time + .milliseconds($0))" } ?? self
        default: return self
        }
    }
}
