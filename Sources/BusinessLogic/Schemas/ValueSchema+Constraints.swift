package struct ValueRange: Equatable, Sendable {
    package let minimum: Value
    package let maximum: Value
}

extension ValueRange {
    init<Bound: ScreenValue & Comparable>(_ range: ClosedRange<Bound>) {
        self.init(minimum: range.lowerBound.screenValue, maximum: range.upperBound.screenValue)
    }
}

extension ValueSchema {
    struct Constraints: Equatable {
        /// The valid numbers and points in time; `nil` for all.
        var range: ValueRange?
        var minimumLength = 0
        var maximumLength: Int?
        var count: ClosedRange<Int>?
        var fractionDigits: Int?
        var format: TextFormat?
    }

    /// In Unicode code points.
    package var minimumLength: Int { constraints.minimumLength }
    package var range: ValueRange? { constraints.range }
    package var fractionDigits: Int? { constraints.fractionDigits }

    /// Constraints of a text or a number apply to a list's elements. The type must be able to have them.
    func constrained(_ new: Constraints, in name: String) -> ValueSchema {
        var schema = self
        if case .array(let element) = kind {
            var constraints = new
            constraints.count = nil
            schema.kind = .array(element.constrained(constraints, in: name))
            schema.constraints.count = new.count ?? self.constraints.count
            requireDeclaration(
                schema.constraints.count?.lowerBound ?? 0 >= 0,
                "'\(name)' declares a negative number of elements"
            )
            return schema
        }
        requireDeclaration(new.count == nil, "'\(name)' declares a number of elements and is not a list")
        requireDeclaration(
            kind == .string || new.minimumLength == 0 && new.maximumLength == nil && new.format == nil,
            "'\(name)' declares a length or a format and is not a text"
        )
        requireDeclaration(
            new.fractionDigits == nil || fractionDigits != nil,
            "'\(name)' declares fraction digits and is not an amount"
        )
        schema.constraints = new
        schema.constraints.range = new.range ?? range
        schema.constraints.maximumLength = new.maximumLength ?? constraints.maximumLength
        schema.constraints.fractionDigits = new.fractionDigits ?? fractionDigits
        schema.constraints.format = new.format ?? constraints.format
        schema.format = new.format?.name ?? format
        requireDeclaration(
            schema.minimumLength <= schema.maximumLength(.input),
            "'\(name)' declares a minimum length above its maximum"
        )
        return schema
    }

    /// A schema that accepts the values of this one and of another; `nil` if their types differ.
    func union(_ other: ValueSchema) -> ValueSchema? {
        if self == other { return self }
        guard let kind = kind.union(other.kind) else { return nil }
        let isSameType = kind == self.kind && type != nil && type == other.type
        var union = isSameType ? self : ValueSchema(kind)
        union.format = format == other.format ? format : nil
        union.isOptional = isOptional || other.isOptional
        let (count, others) = (count(.input), other.count(.input))
        union.constraints = Constraints(
            minimumLength: min(minimumLength, other.minimumLength),
            maximumLength: max(maximumLength(.input), other.maximumLength(.input)),
            count: min(count.lowerBound, others.lowerBound)...max(count.upperBound, others.upperBound),
            format: isSameType && constraints.format == other.constraints.format ? constraints.format : nil
        )
        if let digits = fractionDigits, let others = other.fractionDigits {
            union.constraints.fractionDigits = max(digits, others)
        }
        if let range, let others = other.range {
            union.constraints.range = ValueRange(
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
