import Foundation

/// Encodes the value as JSON and decodes it.
package func throughJSON<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

/// Decodes a value from a JSON text.
package func decoded<Value: Decodable>(_ type: Value.Type = Value.self, from json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// The value as a JSON text with sorted members.
package func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
