@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct MessagesCommandTests {
    let workplace = Workplace()

    /// A program with one page, which gives two messages.
    struct LetterController: Script {
        static let summary = Output<Message?>("summary")
        static let events: Events = [
            .default("arrived", gives: [.renders(summary, .unread), .alerts(.shredded)]) { _ in }
        ]
    }

    static func page(rules: [ValidationRule] = [], messages: Message...) -> Page {
        Page("letters", rules: rules, messages: messages) { _ in Scripted(LetterController()) }
    }

    static let program = Application(
        title: "Letters",
        version: "1",
        executable: "letters",
        translations: problems
    ) { _ in [page(rules: [.paper], messages: .lost)] }

    /// German titles of all problems, so that only the page's messages lack a translation.
    static let problems: Translations = {
        var strings: Value.Object = [:]
        for message in Translations.serviceMessages {
            let placeholders = message.parameters.enumerated().map { index, parameter in
                " " + MessageTemplate.Placeholder(index, of: parameter.value).text
            }
            strings[message.code] = ["de": unit("Problem" + placeholders.joined())]
        }
        return translations(strings)
    }()

    static func translations(_ strings: Value.Object) -> Translations {
        do {
            return try Translations(catalog: catalog(strings))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Runs `messages check` on a catalog with these German texts.
    func check(_ german: [String: String]) async throws -> Program.Result {
        var strings: Value.Object = [:]
        for (code, text) in german { strings[code] = ["de": unit(text)] }
        return try await check(catalog(strings).text)
    }

    func check(_ catalog: String) async throws -> Program.Result {
        try await Self.program.run("messages check", workplace.file("texts.xcstrings", catalog))
    }

    static let complete = [
        "letters.unread": "%2$@ hat %1$lld geschrieben", "letters.shredded": "Zu 100 %% zerstört",
        "letters.lost": "Verloren", "letters.paper": "Kein Papier",
    ]

    // MARK: export

    @Test func `a catalog has the messages of events, rules and collaborators, and their translations`() async throws {
        let result = try await Self.program.run("messages export").expect(status: 0)
        let catalog = try JSONReader.read(result.output.text.bytes)
        #expect(catalog["sourceLanguage"] == "en")
        #expect(catalog["version"] == "1.0")
        let strings = try #require(catalog["strings"]?.object)
        let codes = Set(strings.map(\.name))
        let service = Set(Translations.serviceMessages.map(\.code))
        #expect(
            codes.subtracting(service)
                == Set(Self.complete.keys).union(["page.letters", "event.arrived", "label.summary"])
        )
        #expect(strings["label.summary"]?["localizations"] == ["en": unit("Summary")])
        #expect(codes.isSuperset(of: service))
        let unread: Value = [
            "extractionState": "manual", "comment": "%1$lld: count, %2$@: sender",
            "localizations": ["en": unit("%1$lld from %2$@")],
        ]
        #expect(strings["letters.unread"] == unread)
        let overloaded: Value = [
            "extractionState": "manual",
            "localizations": ["de": unit("Problem"), "en": unit("The server has too much to do")],
        ]
        #expect(strings["problem.overloaded"] == overloaded)
        #expect(strings["letters.shredded"]?["localizations"]?["en"]?["stringUnit"]?["value"] == "Shredded by 100 %%")
    }

    @Test func `an exported catalog lacks only translations`() async throws {
        let exported = try await Self.program.run("messages export").output.text
        let missing = [
            ("letters.lost", "Lost"), ("letters.paper", "No paper"), ("letters.shredded", "Shredded by 100 %"),
            ("letters.unread", "2 from Lisa"), ("page.letters", "Letters"), ("event.arrived", "Arrived"),
            ("label.summary", "Summary"),
        ].map { "de: '\($0)' lacks a translation of \"\($1)\"" }
        try await check(exported).expect(status: 1, output: missing + ["en: no findings"])
    }

    @Test func `a message that is declared with an empty parameter is exported without its English text`() throws {
        let welcome = Message(code: "letters.welcome", text: "Welcome, ", parameters: ["name": "", "letters": 3])
        let catalog = try JSONReader.read(MessageCatalog([Self.page(messages: welcome)]).json(Translations()).bytes)
        #expect(
            catalog["strings"]?["letters.welcome"] == [
                "extractionState": "manual", "comment": "%1$@: name, %2$lld: letters", "localizations": [:],
            ]
        )
    }

    @Test func `a translation must contain a parameter that is declared empty`() throws {
        let welcome = Message(code: "letters.welcome", text: "Welcome, ", parameters: ["name": ""])
        let check = TranslationCheck(
            catalog: MessageCatalog([Self.page(messages: welcome)]),
            translations: Self.translations(["letters.welcome": ["de": unit("Willkommen")]]),
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
        try await check(Self.complete.merging([code: text]) { $1 }).expect(status: 1, output: ["de: \(finding)"])
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
        let placeholder = "error: …'letters.lost' in the language 'de' contains '%d'…"
        try await check(["letters.lost": "%d"]).expect(status: 1, errors: [placeholder])
        try await check([:]).expect(errors: ["error: …contains no translations of messages."])
        let error = "The file '/nowhere.xcstrings' cannot be read: No such file or directory."
        try await Self.program.run("messages check /nowhere.xcstrings").expect(error: error)
    }

    // MARK: The bundled translations

    @Test func `the bundled catalog translates each message of the bundled pages`() throws {
        let dependencies = PageDependencies.withAllPasswordMessages
        let pages = Page.bundled(dependencies) + Page.accounts(dependencies) + Page.factors(dependencies)
        let check = TranslationCheck(catalog: MessageCatalog(pages), translations: .bundled, builtIn: Translations())
        #expect(try check.reports() == [TranslationCheck.Report(language: "de", findings: [])])
    }

    // MARK: serve

    @Test func `a label is missing if a language or English lacks it, unless the page has a template`() throws {
        let pages = [Self.page(messages: .lost)]
        let texts = Self.translations([
            "label.summary": ["en": unit("Summary")], "event.arrived": ["de": unit("Da")],
            "page.letters": ["en": unit("Letters"), "de": unit("Post")],
        ])
        #expect(
            try MissingLabel.all(pages, templates: [], texts) == [
                MissingLabel(key: "event.arrived", languages: ["en"]),
                MissingLabel(key: "label.summary", languages: ["de"]),
            ]
        )
        #expect(try MissingLabel.all(pages, templates: ["letters"], texts) == [])
    }

    @Test func `no label of the demonstration lacks a text`() throws {
        var dependencies = PageDependencies.withAllPasswordMessages
        dependencies.mailbox = KeptMailbox(outbox: MemoryOutbox(clock: SystemClock()))
        let pages = Page.bundled(dependencies) + Page.accounts(dependencies) + Page.factors(dependencies)
        #expect(try MissingLabel.all(pages, templates: [], .bundled) == [])
    }

    @Test func `the setting adds translations, which take precedence over the program's`() async throws {
        let texts = catalog(["problem.unknownPage": ["de": unit("Weg"), "fr": unit("Perdue")]])
        let path = try workplace.file("texts.xcstrings", texts.text)
        let settings = try Application.$current.withValue(Self.program) {
            try ServeSettings(ServeCommand.parse(["--translations", path]).settings(file: "", environment: [:]))
        }
        let translations = try ContentFiles(settings).translations
        #expect(translations.languages == ["de", "fr"])
        #expect(translations.text(of: Message(code: "problem.unknownPage", text: ""), in: "de") == "Weg")
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
