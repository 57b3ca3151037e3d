import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// Agents use pages by the Model Context Protocol (https://modelcontextprotocol.io), in the revisions 2026-07-28, 2025-11-25 and 2025-06-18.
///
/// This is a client of the service, as the HTML pages are: each call of a tool is a request with an event, and so has the same limits, session
/// and recording.
extension UnderstudyService {
    /// `POST /mcp`.
    func answerAgent(_ request: Request, _ record: inout RequestRecord) async throws -> Response {
        let message: AgentMessage
        do {
            message = try AgentMessage(request.body)
        } catch {
            return error.response(to: nil)
        }
        do {
            try message.check(request.headers)
            guard let id = message.id else { return Response(status: 202) }
            if message.method == "subscriptions/listen", message.isStateless {
                return try await listen(message, id, request, &record)
            }
            var result = try await result(of: message, request, &record)
            if message.isStateless {
                result["resultType"] = "complete"
                result["_meta"] = ["io.modelcontextprotocol/serverInfo": serverInfo]
            }
            return .json(["jsonrpc": "2.0", "id": id, "result": .object(result)])
        } catch let error as AgentError {
            return error.response(to: message.id)
        }
    }

    private func result(
        of message: AgentMessage,
        _ request: Request,
        _ record: inout RequestRecord
    ) async throws -> Value.Object {
        switch (message.method, message.isStateless) {
        case ("initialize", false):
            let requested = message.params["protocolVersion"]?.string ?? ""
            let version = AgentMessage.handshakes.contains(requested) ? requested : AgentMessage.handshakes[0]
            return description(["tools": [:], "resources": [:]])
                .merging(["protocolVersion": .string(version), "serverInfo": serverInfo])
        case ("server/discover", true):
            let versions = ([AgentMessage.stateless] + AgentMessage.handshakes).map(Value.string)
            return description(["tools": [:], "resources": ["subscribe": true]]).merging([
                "supportedVersions": .array(versions), "ttlMs": 3_600_000, "cacheScope": "public",
            ])
        case ("ping", false): return [:]
        case ("tools/list", _):
            let tools = try await agentAccess(of: request).tools
            return Self.listed(["tools": .array(tools.map(\.definition))])
        case ("tools/call", _): return try await call(message, request, &record)
        case ("resources/list", _):
            let resources = pages.all.map { page -> Value in
                let name = Value.string(page.name)
                return ["uri": .string(page.agentURI), "name": name, "mimeType": "application/json"]
            }
            return Self.listed(["resources": .array(resources)])
        case ("resources/templates/list", _): return Self.listed(["resourceTemplates": []])
        case ("resources/read", _): return try await read(message, request)
        default: throw AgentError.unknownMethod(message)
        }
    }

    private var serverInfo: Value {
        ["name": .string(configuration.title), "version": .string(configuration.version)]
    }

    private func description(_ capabilities: Value) -> Value.Object {
        let instructions =
            "Each tool is an event of a page, such as a button. Its result says what the screen shows then, what was rejected, and "
            + "which tools are next. Passwords and codes are for people only: if a page asks for one, ask the user to enter it there."
        return ["capabilities": capabilities, "instructions": .string(instructions)]
    }

    /// Clients may keep it for a minute.
    private static func listed(_ result: Value.Object) -> Value.Object {
        result.merging(["ttlMs": 60_000, "cacheScope": "private"])
    }

    // MARK: Tools

    private func call(
        _ message: AgentMessage,
        _ request: Request,
        _ record: inout RequestRecord
    ) async throws -> Value.Object {
        let access = try await agentAccess(of: request)
        let name = try message.text("name")
        guard let tool = access.tools.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw AgentError.invalidParams("There is no tool '\(name.shortened)', or this agent may not use it.")
        }
        let arguments = message.params["arguments"] ?? [:]
        guard let values = arguments.object else { throw AgentError.invalidParams("'arguments' must be an object.") }
        let authorization = try await requiredAuthorization(of: access, request)
        let (complete, faults) = tool.event.arguments(values)
        guard faults.isEmpty else {
            let screen = try await screen(of: tool.page, request, authorization)
            let outcome: Value = ["ok": false, "errors": .array(Array(faults.prefix(FieldFaults.maximumCount)))]
            return AgentAnswer(tool.page, screen: screen, outcome: outcome, tools: access.tools).toolResult
        }
        let event: Value = ["event": .string(tool.event.event.name), "values": .object(complete)]
        let key = try message.meta("idempotencyKey").map { key throws(AgentError) in
            guard let text = key.string, !text.isEmpty else { throw .invalidParams("'idempotencyKey' is a text.") }
            return text
        }
        let response = await answer(
            agentPart(
                of: request,
                .post,
                tool.page.name,
                [("Idempotency-Key", key ?? ""), (.authorization, authorization)],
                body: event.json
            ),
            &record,
            isLimited: false
        )
        if response.status == 401 { throw Problem.unknownToken }
        let outcome = (try? JSONReader.read(response.body)) ?? .null
        let screen = try await screen(
            of: tool.page,
            request,
            outcome["token"]?.string.map { "Bearer \($0)" } ?? authorization
        )
        return AgentAnswer(tool.page, screen: screen, outcome: outcome, tools: access.tools).toolResult
    }

    // MARK: Resources

    private func read(_ message: AgentMessage, _ request: Request) async throws -> Value.Object {
        let access = try await agentAccess(of: request)
        let uri = try message.text("uri")
        // As bytes: a client may send any text.
        guard let page = pages.all.first(where: { uri.hasSameBytes(as: $0.agentURI) }) else {
            throw AgentError(
                code: message.isStateless ? -32602 : -32002,
                message: "There is no resource '\(uri.shortened)'."
            )
        }
        let authorization = try await authorization(of: access, request)
        let answer = AgentAnswer(page, screen: try await screen(of: page, request, authorization), tools: access.tools)
        let content: Value = [
            "uri": .string(uri), "mimeType": "application/json", "text": .string("\(Value.object(answer.content))"),
        ]
        return ["contents": [content], "ttlMs": 0, "cacheScope": "private"]
    }

    /// `subscriptions/listen`: a stream of notifications, as that of the session's history.
    private func listen(
        _ message: AgentMessage,
        _ id: Value,
        _ request: Request,
        _ record: inout RequestRecord
    ) async throws -> Response {
        let subscription = try AgentSubscription(message, id: id, pages: pages.all)
        let authorization = try await requiredAuthorization(of: try await agentAccess(of: request), request)
        let part = agentPart(of: request, .get, "session/history", [(.authorization, authorization)])
        return try await streamHistory(
            subscription,
            since: nil,
            in: nil,
            request,
            as: { [self] in
                // The user may have ended the agent.
                _ = try await agentAccess(of: request)
                return credential(of: part)
            },
            &record
        )
    }

    private func screen(of page: Page, _ request: Request, _ authorization: String?) async throws -> Value {
        var record = RequestRecord()
        let part = agentPart(of: request, .get, page.name, [(.authorization, authorization ?? "")])
        let response = await answer(part, &record, isLimited: false)
        if response.status == 401 { throw Problem.unknownToken }
        return (try? JSONReader.read(response.body)) ?? .null
    }

    /// An agent has no cookies.
    private func agentPart(
        of request: Request,
        _ method: Method,
        _ path: String,
        _ fields: [HeaderField] = [],
        body: [UInt8] = []
    ) -> Request {
        request.part(
            method,
            "\(configuration.pathPrefix)/\(path)",
            replacing: fields + [
                (.contentType, body.isEmpty ? "" : "application/json"), ("Content-Length", ""), ("Cookie", ""),
                ("Prefer", ""),
                ("Last-Event-ID", ""), ("Session-User", ""),
            ],
            body: body
        )
    }
}

extension Value.Object {
    fileprivate func merging(_ other: Value.Object) -> Value.Object {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}

extension EventDeclaration {
    /// The values of a call: those that the model has left out have their values when absent, and never those of an earlier call, because a
    /// model relies on the schema.
    fileprivate func arguments(_ values: Value.Object) -> (complete: Value.Object, faults: [Value]) {
        func fault(_ field: String, _ code: Problem.Code, _ message: String) -> Value {
            ["field": .string(field), "code": .string(code.rawValue), "message": .string(message)]
        }
        var complete = values
        var faults = values.filter { !reads($0.name) }.map {
            fault($0.name.shortened, .unknownField, "There is no such field.")
        }
        for field in reads where values[field.name] == nil {
            complete[field.name] = field.whenAbsent
            if field.whenAbsent == nil { faults.append(fault(field.name, .missingField, "Fill in this field.")) }
        }
        return (complete, faults)
    }
}
