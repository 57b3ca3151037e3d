import BusinessLogic

/// The schemas that are the same for every page.
///
/// Objects in responses are open, and what a later version may add to is a string without an enumeration: a generated client must
/// tolerate what it does not know.
enum WireSchema {
    /// The names of all schemas that do not belong to a page.
    static let names = ["Problem"] + responses.map(\.name) + validation([]).map(\.name)

    /// The members of the response to an event.
    static let responseMembers: Value.Object = [
        "sequence": number("The number of the session's last command, across all its pages.", minimum: 0),
        "ok": [
            "description": "`false` if a command carries a message that reports an error; otherwise `true`.",
            "type": "boolean",
        ],
        "commands": [:],
        "errors": [
            "description": "The messages that report an error. Present if `ok` is `false`.",
            "type": "array",
            "items": .schema("ErrorMessage"),
        ],
        "token": [
            "description": """
            The session's new token, if the event has logged a user in or out and the request has a bearer token. The \
            old token is invalid.
            """,
            "type": "string",
        ],
        "deviceToken": [
            "description": """
            A token for the device, if the event has logged a user in and the request has a bearer token. Send it as \
            the header `Device-Token` with later logins on this device.
            """,
            "type": "string",
        ],
    ]

    /// The members of what `GET /PAGE` returns.
    static let screenMembers: Value.Object = [
        "page": ["description": "The name of the page.", "type": "string"],
        "sequence": number(
            "The number of the session's last command, across all its pages; 0 without a session.",
            minimum: 0
        ),
        "ok": ["description": "Whether the screen shows no error.", "type": "boolean"],
        "errors": [
            "description":
                "The messages on the screen that report an error: texts that are rendered, and the alert. Present if `ok` is `false`.",
            "type": "array",
            "items": .schema("ErrorMessage"),
        ],
        "rendered": [:],
        "messages": [
            "description": "The messages whose texts `rendered` contains, by key.",
            "type": "object",
            "additionalProperties": .schema("RenderedMessage"),
        ],
        "alert": [
            "description": "The alert that the page's last event has shown.",
            "oneOf": [.schema("Alert"), ["type": "null"]],
        ],
        "goToPage": [
            "description": "The page that the page's last event has gone to.",
            "oneOf": [.schema("PageDestination"), ["type": "null"]],
        ],
        "values": [
            "description": "The values that the page keeps, by field. Secret values are never kept.",
            "type": "object",
            "additionalProperties": true,
        ],
        "fields": [
            "description": "The fields that the page's events read.", "type": "array", "items": .schema("PageField"),
        ],
        "outputs": [
            "description": "The outputs that the page's events render.",
            "type": "array",
            "items": .schema("PageOutput"),
        ],
        "events": ["description": "The page's events.", "type": "array", "items": .schema("PageEvent")],
    ]

    /// The schemas of parts of pages' responses, and of sessions' responses, by name.
    static let responses: Value.Object = [
        "EventStream": [
            "description": """
            Server-sent events, if `Accept` prefers `text/event-stream`. `command` contains a command as soon as it is given; its `id` is \
            the command's `sequence`. `restart` means that the commands before do not count. The last event is `answer` with \
            the response that is sent without a stream, or `problem` with an error. Commands are provisional until the answer. After a \
            problem, show what GET returns.
            """,
            "type": "string",
        ],
        "Command": object(
            """
            An instruction to the screen. `command` decides which other members are present: `render` has `key` and \
            `value`, `showAlert` has `message` and `code`, `goToPage` has `name`. Ignore commands and members that you \
            do not know.
            """,
            required: ["sequence", "page", "command"],
            [
                "sequence": number("The number of the command in the session, from 1.", minimum: 1),
                "page": text("The name of the page that gave the command."),
                "command": text("The kind of command.", examples: ["render", "showAlert", "goToPage"]),
                "key": text("`render`: the output that shows the value."),
                "value": ["description": "`render`: the value, or null to show nothing. Any JSON value."],
                "message": text("`showAlert`: the text for the user."),
                "code": code("The code of the message, if the value or the alert is a message."),
                "parameters": parameters,
                "name": text("`goToPage`: the name of the destination."),
                "href": href("`goToPage`: the path of the destination, if this service serves it."),
                "values": [
                    "description": """
                    `goToPage`: the values that the destination's default event reads. Post them to `href` to show \
                    the page.
                    """,
                    "type": "object",
                    "additionalProperties": true,
                ],
            ]
        ),
        "ErrorMessage": object(
            "A message that reports an error.",
            required: ["code", "message"],
            [
                "field": text("The name of the field that the message is about, if it is about one."),
                "code": code("The code of the message."),
                "message": text("The text for the user."),
                "parameters": parameters,
            ]
        ),
        "Alert": object(
            "A message that a page shows as an alert.",
            required: ["message", "code"],
            [
                "message": text("The text for the user."),
                "code": code("The code of the message."),
                "parameters": parameters,
            ]
        ),
        "RenderedMessage": object(
            "A message whose text a page has rendered.",
            required: ["code"],
            ["code": code("The code of the message."), "parameters": parameters]
        ),
        "PageDestination": object(
            "A page that an event goes to.",
            required: ["name"],
            [
                "name": text("The name of the destination."),
                "href": href("The path of the destination, if this service serves it."),
                "values": [
                    "description": "The values that the destination's default event reads.",
                    "type": "object",
                    "additionalProperties": true,
                ],
            ]
        ),
        "PageField": object(
            "A field that a page's events read.",
            required: ["name", "kind", "optional", "secret"],
            [
                "name": text("The name of the field."),
                "kind": kind("The JSON type of the field's values.", FieldKind.allCases.map(\.rawValue)),
                "format": text("The format of the field's values, if it is declared."),
                "optional": boolean("Whether the value may be null."),
                "secret": boolean("Whether the server discards the value after its event."),
                "maxLength": number("The maximum number of Unicode code points, if the field is a string.", minimum: 0),
                "whenAbsent": ["description": "The value if the client sends none. Without it, a value is required."],
                "description": text("What the field means."),
            ]
        ),
        "PageOutput": object(
            "An output that a page's events render.",
            required: ["key", "kind", "optional"],
            [
                "key": text("The key of the output in `rendered` and in `render` commands."),
                "kind": kind(
                    "The JSON type of the output's values, or `any`.",
                    ["string", "number", "integer", "boolean", "array", "object", "any"]
                ),
                "optional": boolean("Whether the value may be null."),
                "description": text("What the output shows."),
            ]
        ),
        "PageEvent": object(
            "An event of a page.",
            required: ["event", "default", "reads", "secret", "gives"],
            [
                "event": text("The name of the event."),
                "default": boolean("Whether a request that names no event means this one."),
                "reads": texts("The fields that the event reads."),
                "secret": texts("Those of them that are secret."),
                "gives": .schema("EventCommands"),
            ]
        ),
        "EventCommands": object(
            "The commands that an event may give.",
            required: ["renders", "messages", "destinations"],
            [
                "renders": texts("The keys of the outputs that the event renders."),
                "messages": texts("The codes of the messages that the event shows, as far as it declares them."),
                "destinations": [
                    "description": "The pages that the event goes to.",
                    "type": "array",
                    "items": .schema("PageDestination"),
                ],
            ]
        ),
        "History": object(
            "Commands of a session, across all its pages.",
            required: ["sequence", "commands"],
            [
                "sequence": number("The number of the session's last command.", minimum: 0),
                "commands": [
                    "description": "The commands, in order.", "type": "array", "items": .schema("Command"),
                ],
            ]
        ),
        "SessionToken": object(
            "A session that was started.",
            required: ["token"],
            ["token": text("The session's token. Send it as `Authorization: Bearer TOKEN`.")]
        ),
        "LoggedIn": object(
            "The logged-in user, and when the session expires.",
            required: ["authenticated", "user", "expires", "idleExpires"],
            [
                "authenticated": boolean("Always `true`."),
                "user": .schema("LoggedInUser"),
                "expires": time("When the session expires even if it is used."),
                "idleExpires": time("When the session expires if it is not used."),
            ]
        ),
        "LoggedInUser": object(
            "A logged-in user.",
            required: ["username"],
            ["username": text("The name with which the user has logged in.")]
        ),
    ]

    /// The schemas of requests and responses of `/validate`, by name.
    static func validation(_ rules: [ValidationRule]) -> Value.Object {
        let examples = rules.filter { $0.example != nil }
        return [
            "ValidationRequest": [
                "description": .string(
                    """
                    Values to check: at most \(ValidationRule.maximumChecks.formatted) in a request. The body may have \
                    at most 64 KiB, unless the operator has set another limit.
                    """
                ),
                "type": "object",
                "examples": [
                    ["checks": .array(examples.map { ["rule": .string($0.name), "value": .string($0.example ?? "")] })]
                ],
                "required": ["checks"],
                "additionalProperties": false,
                "properties": [
                    "checks": [
                        "description": "The checks.",
                        "type": "array",
                        "maxItems": Value(ValidationRule.maximumChecks),
                        "items": .schema("Check"),
                    ]
                ],
            ],
            "Check": .object(check(rules)),
            "ValueToCheck": [
                "description": "A value to check.",
                "type": "object",
                "required": ["value"],
                "additionalProperties": false,
                "properties": ["value": checkedValue],
            ],
            "ValidationResponse": object(
                "The results of checks.",
                required: ["results"],
                [
                    "results": [
                        "description": "The results, in the order of the checks.",
                        "type": "array",
                        "items": .schema("CheckResult"),
                    ]
                ]
            ),
            "CheckResult": object(
                "The result of a check.",
                required: ["valid"],
                [
                    "valid": boolean("Whether the value is valid."),
                    "normalised": text(
                        """
                        The value as a page would store it. Present if the value is valid and the rule is not about \
                        secrets.
                        """
                    ),
                    "code": code("The code of the message. Present if the value is invalid."),
                    "message": text("Why the value is invalid, for the user."),
                    "parameters": parameters,
                ]
            ),
            "Index": object(
                "What the service serves.",
                required: ["title", "pages", "documents"],
                [
                    "title": text("The name of the service."),
                    "pages": ["description": "The pages.", "type": "array", "items": .schema("PageLink")],
                    "documents": [
                        "description": "The paths of documents about the service.",
                        "type": "array",
                        "items": ["type": "string"],
                    ],
                ]
            ),
            "PageLink": object(
                "A page of the service.",
                required: ["name", "href"],
                ["name": text("The name of the page."), "href": href("The path of the page.")]
            ),
            "RuleList": object(
                "The rules of the service.",
                required: ["rules"],
                ["rules": ["description": "The rules.", "type": "array", "items": .schema("Rule")]]
            ),
            "Rule": object(
                "A rule that values can be checked against.",
                required: ["rule", "maxLength", "secret"],
                [
                    "rule": text("The name of the rule."),
                    "maxLength": number("The maximum number of Unicode code points of a value.", minimum: 0),
                    "secret": boolean("Whether values are secret. If so, results do not repeat them."),
                    "example": text("A value to try."),
                ]
            ),
        ]
    }

    /// The schema of a rule's name: one of those that the service has.
    static func ruleName(_ rules: [ValidationRule]) -> Value {
        var schema: Value.Object = ["type": "string"]
        if !rules.isEmpty { schema["enum"] = .array(rules.map { .string($0.name) }) }
        return .object(schema)
    }

    private static func check(_ rules: [ValidationRule]) -> Value.Object {
        var rule = ruleName(rules).object ?? [:]
        rule["description"] = "The name of the rule. `GET /validate` lists all rules."
        var check: Value.Object = [
            "description": "A value, and the rule to check it against.",
            "type": "object",
            "required": ["rule", "value"],
            "additionalProperties": false,
            "properties": ["rule": .object(rule), "value": checkedValue],
        ]
        let limits: [Value] = rules.map { rule in
            [
                "if": ["required": ["rule"], "properties": ["rule": ["const": .string(rule.name)]]],
                "then": ["properties": ["value": ["maxLength": Value(rule.maximumLength)]]],
            ]
        }
        if !limits.isEmpty { check["allOf"] = .array(limits) }
        return check
    }

    private static let checkedValue: Value = [
        "description": "The value. Null means an empty text.", "type": ["string", "null"],
    ]

    private static let parameters: Value = [
        "description": "The values that the message contains, for a translation.",
        "type": "object",
        "additionalProperties": true,
    ]

    private static func object(_ description: String, required: [Value], _ properties: Value.Object) -> Value {
        [
            "description": .string(description),
            "type": "object",
            "required": .array(required),
            "properties": .object(properties),
            "additionalProperties": true,
        ]
    }

    /// An integer that is at most 2⁵³ − 1, so that JavaScript reads it exactly.
    static func number(_ description: String, minimum: Int) -> Value {
        [
            "description": .string(description),
            "type": "integer",
            "format": "int64",
            "minimum": Value(minimum),
            "maximum": Value((1 << 53) - 1),
        ]
    }

    private static func text(_ description: String, examples: [Value] = []) -> Value {
        var schema: Value.Object = ["description": .string(description), "type": "string"]
        if !examples.isEmpty { schema["examples"] = .array(examples) }
        return .object(schema)
    }

    private static func texts(_ description: String) -> Value {
        ["description": .string(description), "type": "array", "items": ["type": "string"]]
    }

    private static func boolean(_ description: String) -> Value {
        ["description": .string(description), "type": "boolean"]
    }

    private static func code(_ description: String) -> Value {
        text("\(description) Codes never change: recognise and translate a message by its code.")
    }

    private static func href(_ description: String) -> Value {
        ["description": .string(description), "type": "string", "format": "uri-reference"]
    }

    private static func kind(_ description: String, _ kinds: [String]) -> Value {
        text(description, examples: kinds.map(Value.string))
    }

    private static func time(_ description: String) -> Value {
        ["description": .string(description), "type": "string", "format": "date-time"]
    }
}

extension Int {
    /// The number with a comma between thousands.
    fileprivate var formatted: String {
        let digits = String(self)
        return digits.count > 3 ? "\(digits.dropLast(3)),\(digits.suffix(3))" : digits
    }
}
