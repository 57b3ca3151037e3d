import BundledPages
import BusinessLogic
import HTTPMessages
import Testing
import Understudy

@testable import HTMLPages

/// The page `/docs`, apart from what HTMLPagesTests tests.
@Suite struct DocsTests {
    private let browser: Browser

    init() throws {
        var configuration = ServiceConfiguration()
        configuration.browserPages = try HTMLPages(isDemo: true)
        browser = Browser(UnderstudyService(pages: Page.demo(), configuration: configuration))
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
            "components": ["schemas": ["Count": ["type": "integer", "minimum": 5]]],
        ]
    }

    private static func texts(of document: Value) -> [SampleLanguage: String] {
        let (path, method, operation) = document.operations[0]
        let samples = DocumentedSample.all(of: operation, method, path, in: document)
        return Dictionary(uniqueKeysWithValues: samples.flatMap { $0.texts.map { ($0.language, $0.text) } })
    }

    @Test func `a sample has the examples of parameters, and needs a session if the operation does`() {
        for (language, text) in Self.texts(of: Self.document(["example": ["a": 1]])) where language != .swift {
            #expect(text.contains("http://localhost:8080/a%20b/x%2Fy?count=5"), "\(language)")
            #expect(text.contains("Bearer TOKEN"), "\(language)")
        }
    }

    @Test func `a sample of a service with a public address or a prefix has them`() {
        for (server, url) in [
            ("https://a.example/shop", "https://a.example/shop/"), ("/shop", "http://localhost:8080/shop/"),
        ] {
            for (language, text) in Self.texts(of: Self.document(["example": ["event": "go"]], server: server)) {
                #expect(text.contains(language == .swift ? String(url.dropLast()) : url), "\(language)")
            }
        }
    }

    @Test func `a sample without an example has values that the schema accepts`() throws {
        let schema: Value = [
            "type": "object", "required": ["event", "values"],
            "properties": [
                "event": ["const": "go"],
                "values": [
                    "type": "object", "required": ["list", "count", "choice", "on"],
                    "properties": [
                        "list": ["type": "array", "items": ["type": ["string", "null"]]],
                        "count": ["$ref": "#/components/schemas/Count"], "choice": ["enum": ["small"]],
                        "on": ["type": "boolean"], "other": ["type": "string"],
                    ],
                ],
            ],
        ]
        let texts = Self.texts(of: Self.document(["schema": schema]))
        let curl = try #require(texts[.curl])
        for member in [#""list": ["…"]"#, #""count": 5"#, #""choice": "small""#, #""on": true"#] {
            #expect(curl.contains(member))
        }
        #expect(!curl.contains("other"))
        #expect(try #require(texts[.swift]).contains(#"screen.setValue(["…"], for: "list")"#))
        #expect(try #require(texts[.swift]).contains(#"try await screen.dispatchEvent("go")"#))
    }

    @Test func `the example of a schema that refers to itself ends`() {
        let document: Value = [
            "components": [
                "schemas": [
                    "Node": ["required": ["next"], "properties": ["next": ["$ref": "#/components/schemas/Node"]]]
                ]
            ]
        ]
        #expect(
            DocumentedSample.example(of: ["$ref": "#/components/schemas/Node"], in: document, depth: 1) == [
                "next": .null
            ]
        )
    }

    @Test(arguments: [
        (SampleLanguage.curl, #"{"text": "'\"\\\u007f", "no": null, "on": true}"#),
        (.python, #"{"text": "'\"\\\u007f", "no": None, "on": True}"#),
        (.swift, #"["text": "'\"\\\u{7f}", "no": .null, "on": true]"#),
    ])
    func `each language writes values as it reads them`(language: SampleLanguage, literal: String) {
        let value: Value = ["text": "'\"\\\u{7F}", "no": .null, "on": true]
        #expect(language.literal(value) == literal)
    }

    @Test func `a long value is on several lines`() {
        let value: Value = ["names": ["Bart", "Lisa", "Maggie"], "address": "742 Evergreen Terrace, Springfield"]
        let lines = """
            {
                "names": ["Bart", "Lisa", "Maggie"],
                "address": "742 Evergreen Terrace, Springfield"
            }
            """
        #expect(SampleLanguage.curl.literal(value) == lines)
        #expect(SampleLanguage.swift.literal([:]) == "[:]")
    }

    @Test func `a shell takes a sample with any text as one request`() throws {
        let texts = Self.texts(of: Self.document(["example": ["a": "it's $(rm) `x`"]]))
        #expect(try #require(texts[.curl]).contains(#"--json '{"a": "it'\''s $(rm) `x`"}'"#))
    }
}
