extension ValueSchema {
    package func accepts(_ value: Value, _ direction: Direction = .input) -> Bool {
        var faults = FieldFaults()
        check(value, at: ValuePlace(field: ""), &faults, direction)
        return faults.isEmpty
    }

    /// Checks a value, and everything in it. `faults` receives what is wrong.
    func check(_ value: Value, at place: ValuePlace, _ faults: inout FieldFaults, _ direction: Direction = .input) {
        if faults.isFull { return }
        if kind == .any {
            if direction == .input { checkTexts(in: value, at: place, &faults) }
            return
        }
        if case .null = value {
            if !isOptional { faults.add(place, .wrongType(expected)) }
            return
        }
        switch (kind, value) {
        case (.string, .string(let text)): check(text, at: place, &faults, direction)
        case (.choice(let choices), .string(let text)):
            if !choices.contains(where: { $0.hasSameBytes(as: text) }) { faults.add(place, .unknownChoice(choices)) }
        case (.boolean, .boolean), (.number, .number), (.integer, .number(.integer)):
            checkRange(value, at: place, &faults)
        case (.integer, .number(.double(let number))) where Int(withoutFraction: number) != nil:
            checkRange(value, at: place, &faults)
        case (.array(let element), .array(let elements)):
            let count = count(direction)
            guard count.contains(elements.count) else { return faults.add(place, .wrongCount(count)) }
            for (index, value) in elements.enumerated() where !faults.isFull {
                element.check(value, at: place.element(index), &faults, direction)
            }
            if typeRejects(value) { faults.add(place, .wrongType(expected)) }
        case (.object(let members), .object(let object)): check(object, members, at: place, &faults, direction)
        default: faults.add(place, .wrongType(expected))
        }
    }

    private func check(
        _ object: Value.Object,
        _ members: [FieldDeclaration],
        at place: ValuePlace,
        _ faults: inout FieldFaults,
        _ direction: Direction
    ) {
        for member in members {
            guard let value = object[member.name] else {
                if member.whenAbsent == nil { faults.add(place.member(member.name), .missing) }
                continue
            }
            member.schema.check(value, at: place.member(member.name), &faults, direction)
        }
        if direction == .output { return }
        for (name, _) in object where !members.contains(where: { $0.name.hasSameBytes(as: name) }) {
            faults.add(place.member(name.clipped), .unknown(members.map(\.name)))
        }
    }

    /// Also checks the names of members.
    private func checkTexts(in value: Value, at place: ValuePlace, _ faults: inout FieldFaults) {
        if faults.isFull { return }
        switch value {
        case .string(let text):
            if text.containsNUL { faults.add(place, .wrongType(.textWithoutNUL(example: "text"))) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { checkTexts(in: element, at: place.element(index), &faults) }
        case .object(let object):
            for (name, value) in object {
                let place = place.member(name.clipped)
                checkTexts(in: .string(name), at: place, &faults)
                checkTexts(in: value, at: place, &faults)
            }
        case .null, .boolean, .number: break
        }
    }

    private func check(_ text: String, at place: ValuePlace, _ faults: inout FieldFaults, _ direction: Direction) {
        if direction == .input, text.containsNUL {
            return faults.add(place, .wrongType(.textWithoutNUL(example: example)))
        }
        let maximumLength = maximumLength(direction)
        if text.isLonger(than: maximumLength) { return faults.add(place, .tooLong(maximum: maximumLength)) }
        if minimumLength > 0, !text.isLonger(than: minimumLength - 1) {
            return faults.add(place, .tooShort(minimum: minimumLength))
        }
        if constraints.format?.accepts(text) == false { return faults.add(place, .wrongType(expected)) }
        checkRange(.string(text), at: place, &faults)
    }

    private func checkRange(_ value: Value, at place: ValuePlace, _ faults: inout FieldFaults) {
        if typeRejects(value) || hasTooManyFractionDigits(value) { return faults.add(place, .wrongType(expected)) }
        if let range, precedes(value, range.minimum) || precedes(range.maximum, value) {
            faults.add(place, .outOfRange(minimum: range.minimum, maximum: range.maximum))
        }
    }

    private func hasTooManyFractionDigits(_ value: Value) -> Bool {
        guard let fractionDigits, let amount = Amount(screenValue: value) else { return false }
        return amount.fractionDigits > fractionDigits
    }

    /// Whether one valid value is before another. Texts other than times are compared by their code points, so that dates are in their order.
    func precedes(_ value: Value, _ other: Value) -> Bool {
        switch (value, other) {
        case (.number(.integer(let integer)), .number(.integer(let other))): return integer < other
        case (.number, .number): return (value.double ?? 0) < (other.double ?? 0)
        case (.string(let text), .string(let other)):
            if let time = Timestamp(text), let other = Timestamp(other) { return time < other }
            return text.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
        default: return false
        }
    }

    package var expected: ExpectedValue { ExpectedValue(jsonType ?? .object, format: format, example: example) }
}

extension ExpectedValue {
    fileprivate static func textWithoutNUL(example: Value) -> ExpectedValue {
        ExpectedValue(.string, format: "text without U+0000", example: example)
    }
}

// MARK: Limits of everything that a client sends

extension Value {
    /// The maximum number of values in the values of one event, with all members and elements.
    package static let maximumNodes = 1000
    /// The maximum number of levels in the value of a field. A text has one level.
    package static let maximumLevels = 8

    /// Whether the value has more levels, or it and what it contains are more than `nodes`, which this reduces by their number.
    package func exceedsLimits(nodes: inout Int, levels: Int = maximumLevels) -> Bool {
        nodes -= 1
        guard nodes >= 0, levels > 0 else { return true }
        switch self {
        case .array(let elements): return elements.contains { $0.exceedsLimits(nodes: &nodes, levels: levels - 1) }
        case .object(let object): return object.contains { $0.value.exceedsLimits(nodes: &nodes, levels: levels - 1) }
        default: return false
        }
    }
}
