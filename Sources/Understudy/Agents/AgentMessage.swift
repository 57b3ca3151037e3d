import BusinessLogic
import FoundationEssentials
import HTTPMessages

/// A message of an agent: a request or a notification of JSON-RPC 2.0, as the Model Context Protocol defines them.
struct AgentMessage {
    /// `nil` for a notification.
    let id: Value?
    let method: String
    let params: Value.Object
    /// Whether the message names its revision itself, so that there is no handshake.
    let isStateless: Bool

    static let stateless = "2026-07-28"
    /// The newest revision is first.
    static let handshakes = ["2025-11-25", "2025-06-18"]

    init(_ body: [UInt8]) throws(AgentError) {
        let json: Value
        do {
            json = try JSONReader.read(body)
        } catch {
            throw AgentError(code: -32700, message: "At byte \(error.offset): \(error.reason).", status: 400)
        }
        guard let members = json.object, members["jsonrpc"] == "2.0", let method = members["method"]?.string else {
            throw .invalidRequest("The body must be one request or notification of JSON-RPC 2.0.")
        }
        switch members["id"] {
        case nil, .string, .number: id = members["id"]
        default: throw .invalidRequest("An id is a text or a number.")
        }
        // Each notification of a subscription contains it.
        guard (id?.json.count ?? 0) <= 256 else { throw .invalidRequest("An id has at most 256 bytes.") }
        self.method = method
        params = members["params"]?.object ?? [:]
        isStateless = params["_meta"]?[Self.versionKey] != nil
    }

    func text(_ name: String) throws(AgentError) -> String {
        guard let text = params[name]?.string else { throw .invalidParams("'\(name)' must be a text.") }
        return text
    }

    func meta(_ key: String) -> Value? { params["_meta"]?[key] }

    /// Checks the message's revision, and that the header fields, by which proxies may decide, say what the message says.
    func check(_ headers: Headers) throws(AgentError) {
        let version = headers["MCP-Protocol-Version"]
        guard isStateless else {
            guard let version, !Self.handshakes.contains(version), method != "initialize" else { return }
            guard version == Self.stateless else { throw .unsupportedVersion(version) }
            throw .invalidParams("'_meta' lacks '\(Self.versionKey)'.", status: 400)
        }
        let requested = meta(Self.versionKey)?.string ?? ""
        guard requested == Self.stateless else { throw .unsupportedVersion(requested) }
        guard meta("io.modelcontextprotocol/clientCapabilities")?.object != nil else {
            throw .invalidParams("'_meta' lacks 'io.modelcontextprotocol/clientCapabilities'.", status: 400)
        }
        try check("MCP-Protocol-Version", version, is: requested)
        // Of notifications, the revision defines none.
        guard id != nil else { return }
        try check("Mcp-Method", headers["Mcp-Method"], is: method)
        if let name = params["name"]?.string ?? params["uri"]?.string {
            try check("Mcp-Name", headers["Mcp-Name"]?.decodedHeaderValue, is: name)
        }
    }

    private func check(_ header: String, _ value: String?, is expected: String) throws(AgentError) {
        guard value?.hasSameBytes(as: expected) != true else { return }
        throw .headerMismatch(
            "The header \(header) is \(value.map { "'\($0)'" } ?? "missing"), and the body says '\(expected)'."
        )
    }

    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
}

extension String {
    fileprivate var decodedHeaderValue: String? {
        let (start, end) = ("=?base64?".utf8, "?=".utf8)
        guard utf8.starts(with: start), utf8.suffix(end.count).elementsEqual(end) else { return self }
        let digits = String(decoding: utf8.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
        return Data(base64Encoded: digits).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension String {
    var shortened: String { String(unicodeScalars.prefix(100)) }
}

struct AgentError: Error, Equatable {
    let code: Int
    let message: String
    var data: Value?
    var status = 200

    static func invalidRequest(_ message: String) -> AgentError {
        AgentError(code: -32600, message: message, status: 400)
    }

    static func invalidParams(_ message: String, status: Int = 200) -> AgentError {
        AgentError(code: -32602, message: message, status: status)
    }

    static func unknownMethod(_ message: AgentMessage) -> AgentError {
        let text = "There is no method '\(message.method.shortened)'."
        return AgentError(code: -32601, message: text, status: message.isStateless ? 404 : 200)
    }

    static func unsupportedVersion(_ requested: String) -> AgentError {
        let supported = ([AgentMessage.stateless] + AgentMessage.handshakes).map(Value.string)
        return AgentError(
            code: -32022,
            message: "Unsupported protocol version",
            data: ["supported": .array(supported), "requested": .string(requested)],
            status: 400
        )
    }

    static func headerMismatch(_ message: String) -> AgentError {
        AgentError(code: -32020, message: "Header mismatch: " + message, status: 400)
    }

    /// The ID is `nil` if it is not known.
    func response(to id: Value?) -> Response {
        var error: Value.Object = ["code": Value(code), "message": .string(message)]
        error["data"] = data
        return .json(["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)], status: status)
    }
}
