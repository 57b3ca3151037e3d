/// A vector of WebAuthn Level 3, section 16: what a client has sent at a registration, and at a login after it. In hexadecimal digits.
struct Vector: Decodable, Sendable {
    struct Ceremony: Decodable, Sendable {
        let challenge: String
        let clientData: String
        let authenticatorData: String
        let signature: String?
    }

    let name: String
    let id: String
    let registration: Ceremony
    let login: Ceremony

    static let all: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.json")
        return (try? JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))) ?? []
    }()

    /// The vector of a name.
    init(_ name: String) throws { self = try #require(Self.all.first { $0.name == name }) }
}
