import BusinessLogic
import FoundationEssentials
package import HTTPMessages

/// The responses to the last requests that had an idempotency key, so that a repeated request gets the first response and
/// nothing runs twice.
package struct IdempotencyCache: Sendable {
    package struct Entry: Decodable, Equatable, Sendable {
        package let key: String
        package let fingerprint: UInt32
        package let content: Content

        var memorySize: Int { key.memorySize + content.memorySize + MemoryLayout<Entry>.stride }
    }

    package enum Content: Decodable, Equatable, Sendable {
        case plain(PlainResponse)
        /// It contains a token or another secret, which the server does not store in clear text.
        case sealed(SealedResponse)

        fileprivate var memorySize: Int {
            switch self {
            case .plain(let response):
                Value.bufferSize + response.body.count + (response.language?.memorySize ?? 0)
            case .sealed(let response): response.size
            }
        }
    }

    package struct PlainResponse: Equatable, Sendable {
        package let status: Int
        package let language: String?
        package let body: [UInt8]
        package let preference: ReturnPreference?
    }

    /// An entry with what a search and the limit of memory need, so that neither reads its texts.
    private struct Slot {
        let keyEnd: UInt64
        let size: Int
        let entry: Entry

        init(_ entry: consuming Entry) {
            keyEnd = entry.key.end
            size = entry.memorySize
            self.entry = consume entry
        }
    }

    private var slots: [Slot] = []
    private var size = 0

    var entries: [Entry] { slots.map(\.entry) }

    var memorySize: Int { slots.isEmpty ? 0 : Value.bufferSize + size }

    /// Never removes the newest entry.
    mutating func trim(toMemorySize maximum: Int) {
        while slots.count > 1, memorySize > maximum { removeOldest() }
    }

    private static let limit = 16

    package subscript(key: String) -> Entry? {
        let end = key.end
        return slots.first { $0.keyEnd == end && $0.entry.key == key }?.entry
    }

    /// Removes the oldest response if the cache is full.
    package mutating func append(_ entry: consuming Entry) {
        if slots.count >= Self.limit { removeOldest() }
        let slot = Slot(consume entry)
        size += slot.size
        slots.append(slot)
    }

    mutating func removeSealed() {
        slots.removeAll { if case .sealed = $0.entry.content { true } else { false } }
        size = slots.reduce(0) { $0 + $1.size }
    }

    private mutating func removeOldest() {
        size -= slots.removeFirst().size
    }

    var stored: Value {
        get throws { ["entries": .array(try entries.map { try $0.stored })] }
    }

    /// FNV-1a, of eight bytes of the body at once. The hash has only 32 bits, so that it does not reveal the body.
    package static func fingerprint(page: String, body: [UInt8]) -> UInt32 {
        let prime: UInt64 = 1_099_511_628_211
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in page.utf8 { hash = (hash ^ UInt64(byte)) &* prime }
        hash = hash &* prime
        body.withUnsafeBytes { body in
            var index = 0
            while index &+ 8 <= body.count {
                hash = (hash ^ body.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* prime
                // The product's low bits depend on no higher bits.
                hash ^= hash >> 32
                index &+= 8
            }
            while index < body.count {
                hash = (hash ^ UInt64(body[index])) &* prime
                index &+= 1
            }
        }
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}

extension String {
    /// The last eight bytes, which differ between most keys; the same number for all shorter keys.
    fileprivate var end: UInt64 {
        utf8.withContiguousStorageIfAvailable { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return bytes.count < 8 ? 0 : bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } ?? 0
    }
}

extension IdempotencyCache: Decodable, Equatable {
    private enum CodingKeys: CodingKey {
        case entries
    }

    package init(from decoder: any Decoder) throws {
        let entries = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .entries)
        for entry in entries { append(entry) }
    }

    package static func == (first: IdempotencyCache, second: IdempotencyCache) -> Bool {
        first.entries == second.entries
    }
}

extension IdempotencyCache.Entry {
    var stored: Value {
        get throws {
            let content: Value
            switch self.content {
            case .plain(let response): content = ["plain": ["_0": response.stored]]
            case .sealed(let response):
                let json = try JSONEncoder().encode(response)
                content = ["sealed": ["_0": try JSONReader.read(Array(json))]]
            }
            return ["key": .string(key), "fingerprint": Value(Int(fingerprint)), "content": content]
        }
    }
}

extension IdempotencyCache.PlainResponse: Decodable {
    private enum CodingKeys: CodingKey {
        case status, language, body, preference
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        body = Array(try container.decode(String.self, forKey: .body).utf8)
        preference = try container.decodeIfPresent(ReturnPreference.self, forKey: .preference)
    }

    fileprivate var stored: Value {
        var value: Value.Object = ["status": Value(status), "body": .string(String(decoding: body, as: UTF8.self))]
        value["language"] = language.map(Value.string)
        value["preference"] = preference.map { .string($0.rawValue) }
        return .object(value)
    }
}

/// What a client wants in the response to an event, instead of only its commands (RFC 7240, section 4.2).
package enum ReturnPreference: String, Codable, Sendable {
    case minimal
    /// Also what the page shows afterwards.
    case representation

    /// The header field that confirms the preference.
    package var applied: HeaderField {
        switch self {
        case .minimal: ("Preference-Applied", "return=minimal")
        case .representation: ("Preference-Applied", "return=representation")
        }
    }
}
