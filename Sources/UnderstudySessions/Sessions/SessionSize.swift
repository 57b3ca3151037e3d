package import BusinessLogic
package import SessionStorage
import UnderstudyPages

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

    func singleValueContainer() -> any SingleValueEncodingContainer { Elements(encoder: self) }

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

    struct Elements: UnkeyedEncodingContainer, SingleValueEncodingContainer {
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
}

extension SessionLimits {
    /// Whether a session can contain a page that renders that value, together with the stored response to its event, which contains the value
    /// twice if the client prefers the representation.
    package func canShow(_ value: Value) -> Bool {
        // The half is for what the controller's state repeats of the value, such as names.
        Session.emptySize + value.memorySize + value.memorySize / 2 + 2 * value.json.count + 2048 <= maximumSize
    }
}

/// How much memory a session takes. What its controllers store outside of their state is unknown, and not counted.
extension Session {
    /// The bytes of a session without pages, including its entries in the store.
    private static let baseSize = 768
    fileprivate static let emptySize = baseSize + Screen.baseSize

    /// The bytes of everything except the history and the stored responses, which can be removed.
    var contentSize: Int {
        var size = Self.baseSize + values.lastSize
        for screen in screens { size += screen.size }
        if let user = identity.user {
            size += user.username.memorySize + (user.id?.memorySize ?? 0)
            for role in user.roles { size += role.memorySize + MemoryLayout<String>.stride }
        }
        return size
    }

    var memorySize: Int { contentSize + history.memorySize + idempotencyCache.memorySize }

    /// Removes the oldest commands and responses until the session takes at most `maximum` bytes. The newest response stays, because space for it was
    /// reserved before the event was accepted. The result is rounded up to whole KiB so that few events change it.
    package func trimmedSize(maximum: Int) -> Int {
        var size = memorySize
        if size > maximum {
            trim(toSize: maximum)
            size = memorySize
        }
        return (size + 1023) & ~1023
    }

    private func trim(toSize maximum: Int) {
        let room = max(0, maximum - contentSize)
        idempotencyCache.trim(toMemorySize: max(room / 2, room - history.memorySize))
        history.trim(toMemorySize: max(0, room - idempotencyCache.memorySize))
    }
}

extension Session.Screen {
    fileprivate static let baseSize = 512

    func updateSize() {
        size = Self.baseSize + recorder.memorySize + controller.stateSize
    }

    /// Whether the screen takes at most `room` bytes after the current event is committed.
    func fitsEvent(in room: Int, stateSize: Int) -> Bool {
        // In most cases the upper bound fits, so that the exact size is not needed.
        return size + recorder.largestGrowth + stateSize <= room
            || Self.baseSize + recorder.memorySizeOfCommit(dropping: page.secrets) + stateSize <= room
    }

    func updateSizeAfterEvent(in room: Int, stateSize: Int) {
        size = Self.baseSize + recorder.memorySize + stateSize
        if size > room {
            // The content fits, but not the unused capacity.
            recorder.compact()
            size = Self.baseSize + recorder.memorySize + stateSize
        }
    }
}
