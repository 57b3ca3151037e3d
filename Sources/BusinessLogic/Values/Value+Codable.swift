extension Value: Codable {
    /// Decodes any JSON-like value. A whole number becomes an integer if it fits into 64 bits.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Object.Name.self) {
            self = .object(try Object(from: container))
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [Value] = []
            while !container.isAtEnd { elements.append(try container.decode(Value.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? container.decode(Int.self) {
            self = .number(.integer(integer))
        } else if let double = try? container.decode(Double.self) {
            self = .number(.double(double))
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            try object.encode(to: encoder)
        case .array(let elements):
            try elements.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let boolean):
            try boolean.encode(to: encoder)
        case .number(.integer(let integer)):
            try integer.encode(to: encoder)
        case .number(.double(let double)):
            try double.encode(to: encoder)
        case .string(let string):
            try string.encode(to: encoder)
        }
    }
}

extension Value.Object: Codable {
    package struct Name: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }
    }

    fileprivate init(from container: KeyedDecodingContainer<Name>) throws {
        self.init()
        for name in container.allKeys { append(name.stringValue, try container.decode(Value.self, forKey: name)) }
    }

    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder.container(keyedBy: Name.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in self { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
