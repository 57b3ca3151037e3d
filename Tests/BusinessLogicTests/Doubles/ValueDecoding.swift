import BusinessLogic
import Foundation

/// Converts between values and Swift types, as a service does.
enum ValueDecoding {
    static func encode(_ content: any Encodable) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(content))
    }

    static func decode<Content: Decodable>(_ value: Value, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    }
}
