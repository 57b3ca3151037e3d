import BusinessLogic

extension BusinessLogicController {
    /// The bytes that the controller's state takes: as the controller reports it, otherwise estimated by encoding the state. If
    /// encoding fails, at least the size of its type.
    var stateSize: Int {
        if let size = stateMemorySize { return size }
        let encoder = SizeEncoder()
        try? state.encode(to: encoder)
        return max(encoder.size, MemoryLayout<State>.size)
    }
}

extension SessionValues {
    /// The bytes that the values take, estimated by encoding them.
    package var size: Int {
        if isEmpty { return 0 }
        return memorySize { value in
            let encoder = SizeEncoder()
            try? value.encode(to: encoder)
            return encoder.size
        }
    }
}

/// Adds up the sizes of encoded values without storing them.
private final class SizeEncoder: Encoder {
    var size = 0
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The bytes that an element or a member takes in addition to its content.
    private static let slot = 16

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        size += Value.bufferSize
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(encoder: self)
    }

    func add(_ value: some Encodable) throws {
        switch value {
        case let text as String: size += Self.slot + text.memorySize
        case is UInt8: size += 1
        case is Bool, is Int, is Double, is Int64, is Int32, is Int16, is Int8, is UInt, is UInt64, is UInt32,
            is UInt16,
            is Float, is Int128, is UInt128:
            size += Self.slot
        default: try value.encode(to: self)
        }
    }

    struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: SizeEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) { encoder.size += SizeEncoder.slot }

        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            // A dictionary's keys take memory. A type's property names do not, but add little to the estimate.
            encoder.size += key.stringValue.memorySize
            try encoder.add(value)
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder }
        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    struct Elements: UnkeyedEncodingContainer {
        let encoder: SizeEncoder
        var count = 0
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() throws { encoder.size += SizeEncoder.slot }
        mutating func encode<T: Encodable>(_ value: T) throws { try encoder.add(value) }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { encoder }
    }

    struct Single: SingleValueEncodingContainer {
        let encoder: SizeEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() throws { encoder.size += SizeEncoder.slot }
        mutating func encode<T: Encodable>(_ value: T) throws { try encoder.add(value) }
    }
}
