@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct MessagesCommandTests {
    let workplace = Workplace()

    /// A program with one page, which gives two messages.
    final class LetterController: BusinessLogicController {
        static let summary = Output<Message?>("summary")

        static let events: EventTable<LetterController> = [
            .default("arrived", gives: [.renders(summary, .unread), .alerts(.shredded)]) { _ in }
        ]

        weak var controllable: (any Controllable)?
        var state = 0
    }

    static let program = Application(
        title: "Letters",
        version: "1",
        executable: "letters",
        translations: problems
    ) { _ in
        [Page("letters", rules: [.paper], messages: [.lost]) { _ in LetterController() }]
    }

    /// German titles of all problems, so that only the page's messages lack a translation.
    static let problems: Translations = {
        var strings: Value.Object = [:]
        for message in Translations.serviceMessages {
            let placeholders = message.parameters.enumerated().map { index, parameter in
                " " + MessageTemplate.Placeholder(index, of: parameter.value).text
            }
            strings[message.code] = localizations(["de": "Problem" + placeholders.joined()])
        }
        return translations(strings)
    }()

    static func localizations(_ texts: [String: String]) -> Value {
        var localizations: Value.Object = [:]
        for (language, text) in texts { localizations[language] = ["stringUnit": ["value": .string(text)]] }
        return ["localizations": .object(localizations)]
    }

    static func catalog(_ strings: Value.Object) -> Value {
        ["sourceLanguage": "en", "strings": .object(strings), "version": "1.0"]
    }

    static func translations(_ strings: Value.Object) -> Translations {
        do {
            return try Translations(catalog: Array(JSONEncoder().encode(catalog(strings))))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Runs `messages check` on a catalog with these German texts.
    func check(_ german: [String: String]) async throws -> Program.Result {
        var strings: Value.Object = [:]
        for (code, text) in german { strings[code] = Self.localizations(["de": text]) }
        return try await check(JSONEncoder().encode(Self.catalog(strings)))
    }

    func check(_ catalog: Data) async throws -> Program.Result {
        let file = try workplace.file("texts.xcstrings", catalog.text)
        return try await Self.program.run("messages check", file)
    }

    static let complete = [
        "letters.unread": "%2$@ hat %1$lld geschrieben", "letters.shredded": "Zu 100 %% zerstört",
        "letters.lost": "Verloren", "letters.paper": "Kein Papier",
    ]

    // MARK: export

    @Test func `a catalog has the messages of events, rules and collaborators, and their translations`() async throws {
        let result = try await Self.program.run("messages export")
        #expect(result.status == 0)
        let json = Data(result.output.joined(separator: "\n").utf8)
        let catalog = try #require(JSONDecoder().decode(Value.self, from: json).object)
        #expect(catalog["sourceLanguage"] == "en")
        #expect(catalog["version"] == "1.0")
        let strings = try #require(catalog["strings"]?.object)
        let codes = Set(strings.map(\.name))
        let service = Set(Translations.serviceMessages.map(\.code))
        #expect(
            codes.subtracting(service)
                == Set(Self.complete.keys).union(["page.letters", "event.arrived", "label.summary"])
        )
        #expect(
            strings["label.summary"]?.object?["localizations"] == [
                "en": ["stringUnit": ["state": "translated", "value": "Summary"]]
            ]
        )
        #expect(codes.isSuperset(of: service))
        let unread: Value = [
            "extractionState": "manual", "comment": "%1$lld: count, %2$@: sender",
            "localizations": ["en": ["stringUnit": ["state": "translated", "value": "%1$lld from %2$@"]]],
        ]
        #expect(strings["letters.unread"] == unread)
        let overloaded: Value = [
            "extractionState": "manual",
            "localizations": [
                "de": ["stringUnit": ["state": "translated", "value": "Problem"]],
                "en": ["stringUnit": ["state": "translated", "value": "The server has too much to do"]],
            ],
        ]
        #expect(strings["problem.overloaded"] == overloaded)
        #expect(
            strings["letters.shredded"]?.object?["localizations"]?.object?["en"]?.object?["stringUnit"]?.object?[
                "value"
            ] == "Shredded by 100 %%"
        )
    }

    @Test func `an exported catalog lacks only translations`() async throws {
        let exported = try await Self.program.run("messages export").output.joined(separator: "\n")
        let result = try await check(Data(exported.utf8))
        #expect(result.status == 1)
        result.expect(output: [
            #"de: 'letters.lost' lacks a translation of "Lost""#,
            #"de: 'letters.paper' lacks a translation of "No paper""#,
            #"de: 'letters.shredded' lacks a translation of "Shredded by 100 %""#,
            #"de: 'letters.unread' lacks a translation of "2 from Lisa""#,
            #"de: 'page.letters' lacks a translation of "Letters""#,
            #"de: 'event.arrived' lacks a translation of "Arrived""#,
            #"de: 'label.summary' lacks a translation of "Summary""#, "en: no findings",
        ])
    }

    @Test func `a message that is declared with an empty parameter is exported without its English text`() throws {
        let welcome = Message(code: "letters.welcome", text: "Welcome, ", parameters: ["name": "", "letters": 3])
        let page = Page("letters", messages: [welcome]) { _ in LetterController() }
        let json = Data(try MessageCatalog([page]).json(Translations()).utf8)
        let strings = try #require(JSONDecoder().decode(Value.self, from: json).object?["strings"]?.object)
        #expect(
            strings["letters.welcome"] == [
                "extractionState": "manual", "comment": "%1$@: name, %2$lld: letters", "localizations": [:],
            ]
        )
    }

    @Test func `a translation must contain a parameter that is declared empty`() throws {
        let welcome = Message(code: "letters.welcome", text: "Welcome, ", parameters: ["name": ""])
        let check = TranslationCheck(
            catalog: MessageCatalog([Page("letters", messages: [welcome]) { _ in LetterController() }]),
            translations: Self.translations(["letters.welcome": Self.localizations(["de": "Willkommen"])]),
            builtIn: Self.problems
        )
        #expect(try check.reports()[0].findings.contains("'letters.welcome' lacks %1$@, the parameter 'name'"))
    }

    // MARK: check

    @Test(arguments: [
        ("letters.unraed", "x", "'letters.unraed' is unknown: no page declares this message"),
        ("letters.unread", "%1$lld von %3$@", "'letters.unread' contains %3$@, but the message has 2 parameters"),
        ("letters.lost", "%@", "'letters.lost' contains %1$@, but the message has 0 parameters"),
        (
            "letters.unread", "%lld von %lld",
            "'letters.unread' contains %2$lld, but the parameter 'sender' is not an integer"
        ),
        (
            "letters.unread", "%lld Briefe",
            "'letters.unread' lacks %2$@, the parameter 'sender', which the English text contains"
        ),
    ])
    func `a finding names the language, key and error`(code: String, text: String, finding: String) async throws {
        let result = try await check(Self.complete.merging([code: text]) { $1 })
        #expect(result.output == ["de: \(finding)"])
        #expect(result.status == 1)
    }

    @Test func `a complete catalog has no findings, also with keys of the app`() async throws {
        for others in [[:], ["settings.title": "Einstellungen", "OK": "OK"]] {
            try await check(Self.complete.merging(others) { $1 }).expect(status: 0, output: ["de: no findings"])
        }
    }

    @Test func `a catalog with a label of the pages must have all of them, and may have others`() async throws {
        let label = Self.complete.merging(["label.summary": "Übersicht", "label.colour": "Farbe"]) { $1 }
        #expect(
            try await check(label).output == [
                #"de: 'page.letters' lacks a translation of "Letters""#,
                #"de: 'event.arrived' lacks a translation of "Arrived""#,
            ]
        )
        let all = label.merging(["page.letters": "Post", "event.arrived": "Angekommen"]) { $1 }
        #expect(try await check(all).output == ["de: no findings"])
    }

    @Test func `a file that cannot be used is an error`() async throws {
        let placeholder = try await check(["letters.lost": "%d"])
        #expect(placeholder.status == 1)
        #expect(placeholder.errors.first?.contains("'letters.lost' in the language 'de' contains '%d'") == true)
        let empty = try await check([:])
        #expect(empty.errors.first?.hasSuffix("contains no translations of messages.") == true)
        let missing = try await Self.program.run("messages check /nowhere.xcstrings")
        #expect(missing.errors == ["error: The file '/nowhere.xcstrings' cannot be read: No such file or directory."])
        #expect(missing.status == 1)
    }

    // MARK: The bundled translations

    @Test func `the bundled catalog translates each message of the bundled pages`() throws {
        let dependencies = PageDependencies.withAllPasswordMessages
        let pages = Page.bundled(dependencies) + Page.accounts(dependencies) + Page.factors(dependencies)
        let catalog = MessageCatalog(pages)
        let check = TranslationCheck(catalog: catalog, translations: .bundled, builtIn: Translations())
        #expect(try check.reports() == [TranslationCheck.Report(language: "de", findings: [])])
    }

    // MARK: serve

    @Test func `a label is missing if a language or English lacks it, unless the page has a template`() throws {
        let pages = [Page("letters", messages: [.lost]) { _ in LetterController() }]
        let catalog = Self.translations([
            "label.summary": Self.localizations(["en": "Summary"]), "event.arrived": Self.localizations(["de": "Da"]),
            "page.letters": Self.localizations(["en": "Letters", "de": "Post"]),
        ])
        #expect(
            try MissingLabel.all(pages, templates: [], catalog) == [
                MissingLabel(key: "event.arrived", languages: ["en"]),
                MissingLabel(key: "label.summary", languages: ["de"]),
            ]
        )
        #expect(try MissingLabel.all(pages, templates: ["letters"], catalog) == [])
    }

    @Test func `no label of the demonstration lacks a text`() throws {
        var dependencies = PageDependencies.withAllPasswordMessages
        dependencies.mailbox = KeptMailbox(outbox: MemoryOutbox(clock: SystemClock()))
        let pages = Page.bundled(dependencies) + Page.accounts(dependencies) + Page.factors(dependencies)
        #expect(try MissingLabel.all(pages, templates: [], .bundled) == [])
    }

    @Test func `the setting adds translations, which take precedence over the program's`() async throws {
        let strings: Value.Object = ["problem.unknownPage": Self.localizations(["de": "Weg", "fr": "Perdue"])]
        let catalog = try JSONEncoder().encode(Self.catalog(strings))
        let path = try workplace.file("texts.xcstrings", catalog.text)
        let settings = try Application.$current.withValue(Self.program) {
            try ServeSettings(ServeCommand.parse(["--translations", path]).settings(file: "", environment: [:]))
        }
        let translations = try ContentFiles(settings).translations
        let title = Message(code: "problem.unknownPage", text: "")
        #expect(translations.languages == ["de", "fr"])
        #expect(translations.text(of: title, in: "de") == "Weg")
        #expect(translations.text(of: Message(code: "problem.internal", text: ""), in: "de") == "Problem")
    }
}

extension Message {
    fileprivate static let unread = Message.notice(
        code: "letters.unread",
        text: "2 from Lisa",
        parameters: ["count": 2, "sender": "Lisa"]
    )
    fileprivate static let shredded = Message(code: "letters.shredded", text: "Shredded by 100 %")
    fileprivate static let lost = Message(code: "letters.lost", text: "Lost")
    fileprivate static let noPaper = Message(code: "letters.paper", text: "No paper")
}

extension ValidationRule {
    fileprivate static let paper = ValidationRule("paper", messages: [.noPaper]) { _ in .invalid(.noPaper) }
}
