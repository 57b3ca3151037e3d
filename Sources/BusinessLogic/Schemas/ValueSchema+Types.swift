extension ValueSchema {
    /// A text.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own: `uri`, `phone`.
    ///   - example: a valid value, for errors and documents.
    ///   - maximumLength: the maximum number of Unicode code points, unless a field declares another; `nil` for 1,024.
    public static func string(
        format: String? = nil,
        example: String = "text",
        maximumLength: Int? = nil
    ) -> ValueSchema {
        var schema = ValueSchema(.string, format: format, example: .string(example))
        schema.constraints.maximumLength = maximumLength
        return schema
    }

    /// A number, with or without a fraction.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own.
    ///   - example: a valid value, for errors and documents.
    public static func number(format: String? = nil, example: Double = 1) -> ValueSchema {
        ValueSchema(.number, format: format, example: Value(example))
    }

    /// A number without a fraction, of 64 bits.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own.
    ///   - example: a valid value, for errors and documents.
    public static func integer(format: String? = nil, example: Int = 1) -> ValueSchema {
        ValueSchema(.integer, format: format, example: Value(example))
    }

    /// True or false.
    public static var boolean: ValueSchema { ValueSchema(.boolean, format: nil, example: nil) }

    /// Any value.
    public static var any: ValueSchema { ValueSchema(.any, format: nil, example: nil) }

    /// A list of values of a type.
    ///
    /// - Parameters:
    ///   - element: the type.
    ///   - count: the valid numbers of elements; `nil` for at most 100.
    public static func array<Element: ScreenValue>(
        of element: Element.Type,
        count: ClosedRange<Int>? = nil
    ) -> ValueSchema {
        var schema = ValueSchema(.array(ValueSchema(of: element)), format: nil, example: nil)
        schema.constraints.count = count
        return schema
    }

    /// The same values, or null.
    public var optional: ValueSchema {
        var schema = self
        schema.isOptional = true
        return schema
    }

    package var required: ValueSchema {
        var schema = self
        schema.isOptional = false
        return schema
    }
}
