import BusinessLogic

/// The schemas that are the same for every page.
enum WireSchema {
    /// The schemas of responses of pages and sessions, by name.
    static let answers: Value.Object = [
        "EventAnswer": [
            "description": "What an event has caused.",
            "type": "object",
            "required": ["sequence", "commands"],
            "properties": [
                "sequence": sequence("The session's last command, over all its pages."),
                "commands": commands("The commands that this event caused, in order."),
                "token": [
                    "description": """
                    The session's new token, where somebody has logged in to a session that was found by its bearer \
                    token. The old one is worth nothing from now on.
                    """,
                    "type": "string",
                    "pattern": .string(tokenPattern),
                ],
                "deviceToken": [
                    "description": """
                    Shows, as the header `Device-Token` of later logins, that the user has logged in on this device \
                    before; for a client that was found by its bearer token.
                    """,
                    "type": "string",
                ],
            ],
        ],
        "History": [
            "description": "What has happened in a session, over all its pages.",
            "type": "object",
            "required": ["sequence", "commands"],
            "properties": [
                "sequence": sequence("The session's last command."),
                "commands": commands("The commands that were asked for, in order."),
            ],
        ],
        "Command": [
            "description": "What a screen has to do. Clients ignore commands that they do not know.",
            "oneOf": [.schema("RenderCommand"), .schema("ShowAlertCommand"), .schema("GoToPageCommand")],
            "discriminator": [
                "propertyName": "command",
                "mapping": [
                    "render": "#/components/schemas/RenderCommand",
                    "showAlert": "#/components/schemas/ShowAlertCommand",
                    "goToPage": "#/components/schemas/GoToPageCommand",
                ],
            ],
        ],
        "RenderCommand": command(
            "render",
            "Paint a value at a place of the screen.",
            required: ["key", "value"],
            [
                "key": ["description": "The place's name.", "type": "string"],
                "value": ["description": "What to paint: any JSON value; null paints nothing."],
                "code": code("Says which message the value is, where it is one."),
                "parameters": parameters,
            ]
        ),
        "ShowAlertCommand": command(
            "showAlert",
            "Show an alert.",
            required: ["message", "code"],
            [
                "message": ["description": "The English text.", "type": "string"],
                "code": code("Says which message it is."),
                "parameters": parameters,
            ]
        ),
        "GoToPageCommand": command(
            "goToPage",
            "Go to another page.",
            required: ["name"],
            [
                "name": ["description": "The page's name, as the logic calls it.", "type": "string"],
                "values": ["description": "What the page is to be given, where it takes something.", "type": "object"],
            ]
        ),
        "Screen": [
            "description": "What a page shows now, and what it accepts.",
            "type": "object",
            "required": ["page", "sequence", "rendered", "alert", "goToPage", "values", "events"],
            "properties": [
                "page": ["description": "The page's name.", "type": "string"],
                "sequence": sequence("The session's last command, over all its pages; 0 without a session."),
                "rendered": ["description": "What is painted at each place.", "type": "object"],
                "alert": [
                    "description": "The alert that the page's last event showed.",
                    "oneOf": [.schema("Alert"), ["type": "null"]],
                ],
                "goToPage": [
                    "description": "The page that the page's last event went to.",
                    "oneOf": [.schema("Destination"), ["type": "null"]],
                ],
                "values": [
                    "description": "What the page's fields hold. Secrets are never among them.",
                    "type": "object",
                    "additionalProperties": ["type": ["string", "number", "boolean", "null"]],
                ],
                "events": [
                    "description": "The events that the page knows.",
                    "type": "array",
                    "items": .schema("EventDeclaration"),
                ],
            ],
        ],
        "Alert": [
            "type": "object",
            "required": ["message", "code"],
            "properties": [
                "message": ["description": "The English text.", "type": "string"],
                "code": code("Says which message it is."),
                "parameters": parameters,
            ],
        ],
        "Destination": [
            "type": "object",
            "required": ["name"],
            "properties": [
                "name": ["description": "The page's name, as the logic calls it.", "type": "string"],
                "values": ["description": "What the page is to be given, where it takes something.", "type": "object"],
            ],
        ],
        "EventDeclaration": [
            "description": "An event that a page knows.",
            "type": "object",
            "required": ["event", "default", "reads", "secret"],
            "properties": [
                "event": ["description": "Its name.", "type": "string"],
                "default": ["description": "Whether it is meant where no event is named.", "type": "boolean"],
                "reads": [
                    "description": "The fields that it reads.", "type": "array", "items": ["type": "string"],
                ],
                "secret": [
                    "description": "Those of them that are forgotten as soon as the event has been handled.",
                    "type": "array",
                    "items": ["type": "string"],
                ],
            ],
        ],
        "SessionToken": [
            "description": "A session that has been started.",
            "type": "object",
            "required": ["token"],
            "properties": [
                "token": [
                    "description": "To be sent along as `Authorization: Bearer TOKEN`.",
                    "type": "string",
                    "pattern": .string(tokenPattern),
                ]
            ],
        ],
        "Login": [
            "description": "Who is logged in, and for how long.",
            "type": "object",
            "required": ["authenticated", "user", "expires", "idleExpires"],
            "properties": [
                "authenticated": ["type": "boolean", "const": true],
                "user": [
                    "type": "object",
                    "required": ["username"],
                    "properties": ["username": ["type": "string"]],
                ],
                "expires": [
                    "description": "When the session ends, used or not.", "type": "string", "format": "date-time",
                ],
                "idleExpires": [
                    "description": "When it ends if it is not used.", "type": "string", "format": "date-time",
                ],
            ],
        ],
    ]

    /// The schemas of requests and responses of `/validate`, by name.
    static func validation(_ rules: [ValidationRule]) -> Value.Object {
        var rule: Value.Object = ["type": "string"]
        if !rules.isEmpty { rule["enum"] = .array(rules.map { .string($0.name) }) }
        let examples = rules.filter { $0.example != nil }
        return [
            "Checks": [
                "type": "object",
                "examples": [
                    ["checks": .array(examples.map { ["rule": .string($0.name), "value": .string($0.example ?? "")] })]
                ],
                "required": ["checks"],
                "additionalProperties": false,
                "properties": [
                    "checks": [
                        "description": "The values that are to be checked.",
                        "type": "array",
                        "maxItems": Value(ValidationRule.maximumChecks),
                        "items": [
                            "type": "object",
                            "required": ["rule", "value"],
                            "additionalProperties": false,
                            "properties": [
                                "rule": .object(rule),
                                "value": ["description": "Null is as good as nothing.", "type": ["string", "null"]],
                            ],
                        ],
                    ]
                ],
            ],
            "CheckResults": [
                "type": "object",
                "examples": [["results": .array(examples.map { $0.result(of: $0.example ?? "") })]],
                "required": ["results"],
                "properties": [
                    "results": [
                        "type": "array",
                        "items": [
                            "type": "object",
                            "required": ["valid"],
                            "properties": [
                                "valid": ["description": "Whether the rule is met.", "type": "boolean"],
                                "normalised": [
                                    "description": "The value as it would be kept, where the rule changes it.",
                                    "type": "string",
                                ],
                                "code": code("Says which rule is broken."),
                                "message": ["description": "The same for a person.", "type": "string"],
                                "parameters": parameters,
                            ],
                        ],
                    ]
                ],
            ],
        ]
    }

    private static let tokenPattern = "^[0-9a-f]{32}$"

    private static let parameters: Value = [
        "description": "What a translation of the message needs to fill in.",
        "type": "object",
    ]

    private static func sequence(_ description: String) -> Value {
        ["description": .string(description), "type": "integer", "minimum": 0]
    }

    private static func commands(_ description: String) -> Value {
        ["description": .string(description), "type": "array", "items": .schema("Command")]
    }

    private static func code(_ description: String) -> Value {
        ["description": .string(description + " Never changes; translate by it."), "type": "string"]
    }

    private static func command(
        _ name: String,
        _ description: String,
        required: [Value],
        _ members: Value.Object
    ) -> Value {
        var properties: Value.Object = [
            "sequence": [
                "description": "The command's number in the session, from 1.", "type": "integer", "minimum": 1,
            ],
            "page": ["description": "The page that gave it.", "type": "string"],
            "command": ["type": "string", "const": .string(name)],
        ]
        for (name, schema) in members { properties[name] = schema }
        return [
            "description": .string(description),
            "type": "object",
            "required": .array(["sequence", "page", "command"] + required),
            "properties": .object(properties),
        ]
    }
}
