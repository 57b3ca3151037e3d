import BundledPages
import TestSupport
import Understudy

@testable import HTMLPages

/// The page `/docs`, apart from what HTMLPagesTests tests.
@Suite struct DocsTests {
    private let browser: Browser

    init() throws {
        browser = try Browser()
    }

    @Test func `an error of several operations is described once, and the operations link to it`() async throws {
        let page = await browser.get("/docs").text
        #expect(page.split(separator: "The request target is too long (<code>targetTooLong</code>)").count == 2)
        #expect(page.split(separator: ##"<a href="#error-TargetTooLong">414 Target too long</a>"##).count > 20)
    }

    @Test func `an error of one operation is described there`() async throws {
        let page = await browser.get("/docs").text
        #expect(!page.contains("error-HistoryGone"))
        let operation = try #require(
            page.split(separator: #"id="showHistory">"#).last?.split(separator: "</section>").first
        )
        #expect(operation.contains("<dt><code>410</code>"))
        #expect(operation.contains("The history does not go back that far"))
    }

    // MARK: Samples

    /// A document with one operation, `POST /a b/{id}` of the page `a b`.
    private static func document(_ body: Value, server: String = "/") -> Value {
        [
            "servers": [["url": .string(server)]],
            "paths": [
                "/a b/{id}": [
                    "post": [
                        "operationId": "send", "tags": ["pages"],
                        "parameters": [
                            ["name": "id", "in": "path", "required": true, "example": "x/y"],
                            ["name": "since", "in": "query", "schema": ["type": "integer"]],
                            [
                                "name": "count", "in": "query", "required": true,
                                "schema": ["$ref": "#/components/schemas/Count"],
                            ],
                        ],
                        "security": [["bearer": []]],
                        "requestBody": ["content": ["application/json": body]],
                        "responses": ["200": ["content": ["application/json": [:]]]],
                    ]
                ]
            ],
            "components": ["schemas": ["Count": ["type": "integer", "examples": [5]]]],
        ]
    }

    private static func command(of document: Value) throws -> String {
        let documentation = Documentation(document)
        let operation = try #require(documentation.operations.first)
        return try #require(documentation.samples(of: operation).first?["command"]?.string)
    }

    @Test func `a sample has the examples of parameters, and needs a session if the operation does`() throws {
        let command = try Self.command(of: Self.document(["example": ["a": 1]]))
        #expect(command.hasSuffix(" http://localhost:8080/a%20b/x%2Fy?count=5"))
        #expect(command.contains("Bearer TOKEN"))
    }

    @Test func `a sample of a service with a public address or a prefix has them`() throws {
        for (server, url) in [
            ("https://a.example/shop", "https://a.example/shop/"), ("/shop", "http://localhost:8080/shop/"),
        ] {
            let command = try Self.command(of: Self.document(["example": ["event": "go"]], server: server))
            #expect(command.contains(url))
        }
    }

    @Test func `a sample contains no control character`() throws {
        let value: Value = ["text": "\"\\\u{7F}\u{1B}", "no": .null, "on": true]
        let command = try Self.command(of: Self.document(["example": value]))
        #expect(command.contains(#"--json '{"text":"\"\\\u007f\u001b","no":null,"on":true}'"#))
    }

    @Test func `a shell takes a sample with any text as one request`() throws {
        let command = try Self.command(of: Self.document(["example": ["a": "it's $(rm) `x`"]]))
        #expect(command.contains(#"--json '{"a":"it'\''s $(rm) `x`"}'"#))
    }
}
