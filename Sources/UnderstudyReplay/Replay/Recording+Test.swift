import BusinessLogic
public import UnderstudyPages
public import UnderstudySessions

extension Recording {
    /// Swift Testing source code with a test for each recording. Each test expects the recorded commands, and needs the product
    /// UnderstudyTesting.
    ///
    /// - Parameters:
    ///   - recordings: the recordings with the names of their tests. They must not be redacted.
    ///   - pages: the pages, including all that the recordings name.
    ///   - source: the Swift expression for the pages.
    ///   - imports: further modules to import.
    ///   - module: a module to import `@testable`, if `source` is in another module than the test.
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)`` or ``/Understudy/RecordingError/redacted``.
    public static func testSource(
        of recordings: [(name: String, recording: Recording)],
        on pages: [Page],
        writtenAs source: String = "Page.bundled()",
        imports: [String] = [],
        importing module: String? = nil
    ) throws(RecordingError) -> String {
        let imports = Set(imports + ["BusinessLogic", "Testing", "Understudy", "UnderstudyTesting"]).sorted()
        var text = imports.map { "import \($0)\n" }.joined()
        if let module { text += "\n@testable import \(module)\n" }
        var names: Set<String> = []
        for (recorded, recording) in recordings {
            let base = recorded.asTestName
            var name = base
            var number = 1
            while !names.insert(name).inserted {
                number += 1
                name = "\(base) \(number)"
            }
            let start = "@Test func `the session \(name) goes as it was recorded`()"
            // As swift-format breaks a line that is too long.
            text +=
                start.count + " async throws {".count <= 120
                ? "\n\(start) async throws {\n" : "\n\(start)\n    async throws\n{\n"
            text += "    let session = RecordedSession(\(source))\n"
            text += try recording.testBody(on: Pages(pages))
            text += "    session.finish()\n}\n"
        }
        return text
    }

    private func testBody(on pages: Pages) throws(RecordingError) -> String {
        if isRedacted { throw .redacted }
        var text = ""
        var hasResults = false
        for (index, event) in events.enumerated() {
            guard let page = pages[named: event.page] else { throw .unknownPage(event.page, event: index + 1) }
            text += "\n    // Event \(index + 1)\(event.omission ?? "")\n"
            if event.omission != nil { continue }
            if event.results.isEmpty, hasResults { text += "    session.results = []\n" }
            hasResults = !event.results.isEmpty
            for phrase in event.phrases(on: page) { text += phrase.text(indentedBy: 4) + "\n" }
        }
        return text + "\n"
    }
}

/// Swift source code that is on one line if it fits, otherwise on several.
private indirect enum Phrase {
    case word(String)
    /// The arguments of a call or the elements of a literal, with the text before and after them.
    case list(String, [Phrase], String, isLiteral: Bool)

    var line: String {
        switch self {
        case .word(let word): word
        case .list(let start, let elements, let end, _): start + elements.map(\.line).joined(separator: ", ") + end
        }
    }

    /// The source code with its indentation. The last line leaves `room` columns free.
    func text(indentedBy indent: Int, room: Int = 0) -> String {
        String(repeating: " ", count: indent) + broken(indent, room: room)
    }

    private func broken(_ indent: Int, room: Int) -> String {
        guard case .list(let start, let elements, let end, let isLiteral) = self, !elements.isEmpty,
            indent + line.count + room > 120
        else { return line }
        let lines = elements.map { $0.text(indentedBy: indent + 4, room: 1) }.joined(separator: ",\n")
        return start + "\n" + lines + (isLiteral && elements.count > 1 ? ",\n" : "\n")
            + String(repeating: " ", count: indent) + end
    }
}

extension Recording.Event {
    /// Why a test does not contain the event, which changes nothing; `nil` if it does.
    fileprivate var omission: String? {
        if isAbandoned { return ": the client did not wait for its response" }
        // A comment must not contain other text of a recording, which could end it.
        return problem.map { ": rejected (\($0["code"]?.string.flatMap(Problem.Code.init)?.rawValue ?? "unknown"))" }
    }

    /// The statements of a test for the event.
    fileprivate func phrases(on page: Page) -> [Phrase] {
        let values = values(on: page)
        let screen = "session[\(page.name.literal)]"
        var arguments: [Phrase] = [.word(event.name.literal)]
        if !values.isEmpty { arguments.append(values.phrase) }
        let method = page.updates.contains { $0.event == event } ? "update" : "send"
        let send = Phrase.list("try await \(screen).\(method)(", arguments, ")", isLiteral: false)
        var phrases = [send]
        if let failure {
            phrases = [
                .word("await #expect(throws: \(failure.swift)) {"), .word(send.text(indentedBy: 4)), .word("}"),
            ]
        }
        if !results.isEmpty {
            phrases.insert(.list("session.results = [", results.map(\.phrase), "]", isLiteral: true), at: 0)
        }
        if !commands.isEmpty {
            phrases.append(.list("\(screen).expect(", commands.map(\.phrase), ")", isLiteral: false))
        }
        return phrases
    }
}

extension CollaboratorLog.Entry {
    fileprivate var phrase: Phrase {
        switch result {
        case .success(let value): .list(".from(", [.word(name.literal), value.phrase], ")", isLiteral: false)
        case .failure(let failure): .word(".from(\(name.literal), throws: \(failure.swiftError))")
        }
    }
}

extension CollaboratorFailure {
    /// The error that a test expects.
    fileprivate var swift: String {
        switch self {
        case .cancelled: "CancellationError.self"
        case .other: "(any Error).self"
        case .unavailable, .overloaded, .tooManyRequests: swiftError
        }
    }

    fileprivate var swiftError: String {
        func error(_ name: String, _ retryAfter: Duration) -> String {
            "CollaboratorError.\(name)(retryAfter: .milliseconds(\(retryAfter.wholeMilliseconds)))"
        }
        return switch self {
        case .unavailable(let retryAfter): error("unavailable", retryAfter)
        case .overloaded(let retryAfter): error("overloaded", retryAfter)
        case .tooManyRequests(let retryAfter): error("tooManyRequests", retryAfter)
        case .cancelled: "CancellationError()"
        case .other: "CollaboratorFailure.other"
        }
    }
}

extension Command {
    fileprivate var phrase: Phrase {
        switch self {
        case .render(let key, let value, let message):
            .list(".render(", [.word(key.literal), message?.phrase ?? value.phrase], ")", isLiteral: false)
        case .showAlert(let message):
            .list(".showAlert(", [message.phrase], ")", isLiteral: false)
        case .goToPage(let name, let values):
            .list(".goToPage(", [.word(name.literal)] + (values.isEmpty ? [] : [values.phrase]), ")", isLiteral: false)
        }
    }
}

extension Message {
    fileprivate var phrase: Phrase {
        var arguments: [Phrase] = [.word("code: \(code.literal)"), .word("text: \(text.literal)")]
        if !parameters.isEmpty { arguments.append(.word("parameters: \(parameters.phrase.line)")) }
        return .list("Message(", arguments, ")", isLiteral: false)
    }
}

extension Value {
    fileprivate var phrase: Phrase {
        switch self {
        case .null: .word("nil")
        case .boolean(let boolean): .word(boolean ? "true" : "false")
        case .number(.integer(let integer)): .word("\(integer)")
        case .number(.double(let double)): .word("\(double)")
        case .string(let string): .word(string.literal)
        case .array(let elements): .list("[", elements.map(\.phrase), "]", isLiteral: true)
        case .object(let object): object.phrase
        }
    }
}

extension Value.Object {
    /// The object as a literal in Swift.
    package var swiftLiteral: String { phrase.line }

    fileprivate var phrase: Phrase {
        if isEmpty { return .word("[:]") }
        return .list("[", map { .word("\($0.name.literal): \($0.value.phrase.line)") }, "]", isLiteral: true)
    }
}

extension String {
    /// The text as a Swift literal.
    fileprivate var literal: String { debugDescription }

    /// The text with all characters that a test's name cannot contain replaced by spaces.
    fileprivate var asTestName: String {
        let name = map { character in
            character.isASCII && (character.isLetter || character.isNumber || "-_ ".contains(character))
                ? character : " "
        }
        return String(name)
    }
}
