/// A command that an event may give.
///
/// ```swift
/// gives: [.renders(loading), .renders(notice, .noSuchCoupon, .redeemed(10)), .alerts(.tooManyCoupons)],
/// ```
///
/// Declare a message with an example value of each parameter, so that `understudy messages export` finds the parameters in the text.
public struct CommandDeclaration: Sendable {
    package let content: Content

    package enum Content: Equatable, Sendable {
        /// The event shows a value of that type under that key; if it is a message, one of `messages`, whatever their parameters are, or any
        /// message if they are `nil`: an injected collaborator chooses it.
        // On the heap, because each event with an alert or a destination looks at all declarations, and copying a schema takes 1,500 instructions.
        indirect case render(
            key: String,
            schema: ValueSchema,
            messages: [Message]?,
            description: String?,
            isSecret: Bool
        )
        case showAlert([Message])
        case goToPage(DestinationDeclaration)
    }

    /// The event shows a value in an output: one of these messages, if the output's type is a message.
    public static func renders<Content: ScreenValue>(
        _ output: Output<Content>,
        _ messages: Message...
    ) -> CommandDeclaration {
        rendersOne(of: messages, in: output)
    }

    /// The event shows a message that an injected collaborator chooses; or null, if the output is optional.
    public static func rendersAnyMessage<Content: ScreenValue>(in output: Output<Content>) -> CommandDeclaration {
        rendersOne(of: nil, in: output)
    }

    private static func rendersOne<Content: ScreenValue>(
        of messages: [Message]?,
        in output: Output<Content>
    ) -> CommandDeclaration {
        CommandDeclaration(
            content: .render(
                key: output.key,
                schema: ValueSchema(of: Content.self),
                messages: messages,
                description: output.description,
                isSecret: output.isSecret
            )
        )
    }

    /// The event shows one of these messages as an alert.
    public static func alerts(_ messages: Message...) -> CommandDeclaration {
        CommandDeclaration(content: .showAlert(messages))
    }

    /// The event goes to a page.
    public static func goes<Values>(to destination: Destination<Values>) -> CommandDeclaration {
        CommandDeclaration(content: .goToPage(destination.declaration))
    }
}

extension [Message] {
    func containCode(of message: Message) -> Bool {
        contains { $0 === message } || contains { $0.code.hasSameBytes(as: message.code) }
    }
}

extension CommandDeclaration.Content {
    /// `checksValues` compares the types of values, each element of a list included.
    package func allows(_ command: Command, checksValues: Bool) -> Bool {
        switch (self, command) {
        case (.render(let key, let schema, let messages, _, _), .render(let given, let value, let message)):
            key.hasSameBytes(as: given) && (message.map { messages?.containCode(of: $0) ?? true } ?? true)
                && (!checksValues || schema.accepts(value, .output))
        case (.showAlert(let messages), .showAlert(let message)): messages.containCode(of: message)
        case (.goToPage(let destination), .goToPage(let name, let values)):
            destination.name.hasSameBytes(as: name) && (!checksValues || destination.accepts(values))
        default: false
        }
    }

    package var messages: [Message] {
        switch self {
        case .render(_, _, let messages, _, _): messages ?? []
        case .showAlert(let messages): messages
        case .goToPage: []
        }
    }
}

extension CommandDeclaration.Content: CustomStringConvertible {
    /// The declaration in one line: `render greeting: string`.
    package var description: String {
        switch self {
        case .render(let key, let schema, let messages, _, _):
            "render \(key): \(schema)\(messages == [] ? "" : " \(messages.map(Self.codes) ?? "(any message)")")"
        case .showAlert(let messages): "showAlert \(Self.codes(of: messages))"
        case .goToPage(let destination):
            "goToPage \(destination.name)"
                + (destination.fields.isEmpty ? "" : " with \(destination.fields.map(\.name).joined(separator: ", "))")
        }
    }

    private static func codes(of messages: [Message]) -> String { messages.map(\.code).joined(separator: " or ") }
}
