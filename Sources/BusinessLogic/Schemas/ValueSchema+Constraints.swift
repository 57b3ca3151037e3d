/// The smallest and the largest valid value.
package struct ValueRange: Equatable, Sendable {
    package let minimum: Value
    package let maximum: Value

    init<Bound: ScreenValue & Comparable>(_ range: ClosedRange<Bound>) {
        self.init(minimum: range.lowerBound.screenValue, maximum: range.upperBound.screenValue)
    }

    init(minimum: Value, maximum: Value) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

extension ValueSchema {
    /// The constraints in the declaration of a field or a member.
    struct Constraints {
        let range: ValueRange?
        let minimumLength: Int
        let maximumLength: Int?
        fileprivate(set) var count: ClosedRange<Int>?
        let fractionDigits: Int?
        let format: TextFormat?

        init<Bound: ScreenValue & Comparable>(
            _ range: ClosedRange<Bound>?,
            _ minimumLength: Int,
            _ maximumLength: Int?,
            _ count: ClosedRange<Int>?,
            _ fractionDigits: Int?,
            _ format: TextFormat?
        ) {
            self.range = range.map { ValueRange($0) }
            self.minimumLength = minimumLength
            self.maximumLength = maximumLength
            self.count = count
            self.fractionDigits = fractionDigits
            self.format = format
        }
    }

    /// The schema with constraints. Those of a text or a number apply to a list's elements.
    ///
    /// - Precondition: the type can have them.
    func constrained(_ constraints: Constraints, in name: String) -> ValueSchema {
        if case .array(let element) = kind {
            var constraints = constraints
            let count = constraints.count ?? declaredCount
            constraints.count = nil
            precondition(count?.lowerBound ?? 0 >= 0, "'\(name)' declares a negative number of elements")
            var schema = ValueSchema(self, kind: .array(element.constrained(constraints, in: name)))
            schema.declaredCount = count
            return schema
        }
        precondition(constraints.count == nil, "'\(name)' declares a number of elements and is not a list")
        let isText = kind == .string
        precondition(
            isText || constraints.minimumLength == 0 && constraints.maximumLength == nil && constraints.format == nil,
            "'\(name)' declares a length or a format and is not a text"
        )
        precondition(
            constraints.fractionDigits == nil || fractionDigits != nil,
            "'\(name)' declares fraction digits and is not an amount"
        )
        var schema = self
        schema.range = constraints.range ?? range
        schema.minimumLength = constraints.minimumLength
        schema.declaredMaximumLength = constraints.maximumLength ?? declaredMaximumLength
        schema.fractionDigits = constraints.fractionDigits ?? fractionDigits
        if let format = constraints.format {
            schema.format = format.name
            schema.textFormat = format
        }
        return schema
    }

    private init(_ schema: ValueSchema, kind: Kind) {
        self.kind = kind
        isOptional = schema.isOptional
        format = schema.format
        declaredCount = schema.declaredCount
        type = schema.type
        isChecked = schema.isChecked
        declaredExample = schema.declaredExample
    }

    /// A schema that accepts the values of this one and of another; `nil` if their types differ.
    func union(_ other: ValueSchema) -> ValueSchema? {
        if self == other { return self }
        guard let kind = kind.union(other.kind) else { return nil }
        var union = ValueSchema(kind)
        if kind == self.kind, let type, type == other.type {
            union = ValueSchema(self, kind: kind)
            if kind == .string { union.textFormat = textFormat == other.textFormat ? textFormat : nil }
        }
        union.format = format == other.format ? format : nil
        union.isOptional = isOptional || other.isOptional
        union.minimumLength = min(minimumLength, other.minimumLength)
        union.declaredMaximumLength = max(maximumLength(.input), other.maximumLength(.input))
        let (count, others) = (count(.input), other.count(.input))
        union.declaredCount = min(count.lowerBound, others.lowerBound)...max(count.upperBound, others.upperBound)
        if let digits = fractionDigits, let others = other.fractionDigits { union.fractionDigits = max(digits, others) }
        if let range, let others = other.range {
            union.range = ValueRange(
                minimum: precedes(others.minimum, range.minimum) ? others.minimum : range.minimum,
                maximum: precedes(range.maximum, others.maximum) ? others.maximum : range.maximum
            )
        }
        return union
    }
}

extension ValueSchema.Kind {
    fileprivate func union(_ other: ValueSchema.Kind) -> ValueSchema.Kind? {
        if self == other { return self }
        switch (self, other) {
        case (.array(let element), .array(let others)): return element.union(others).map { .array($0) }
        case (.choice(let choices), .choice(let others)):
            return .choice(choices + others.filter { !choices.contains($0) })
        case (.choice, .string), (.string, .choice): return .string
        default: return nil
        }
    }
}
