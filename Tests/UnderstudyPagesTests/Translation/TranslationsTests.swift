struct TranslationsTests {
    static let letters = Message(
        code: "letters.unread",
        text: "2 letters from Lisa",
        parameters: ["count": 2, "sender": "Lisa"]
    )

    func letters(_ count: Value, _ sender: Value = "Lisa") -> Message {
        Message(code: "letters.unread", text: "…", parameters: ["count": count, "sender": sender])
    }

    /// The text of a message with the German translation.
    func text(_ german: String, _ message: Message = letters) throws -> String? {
        try Translations(catalog(["letters.unread": ["de": unit(german)]])).text(of: message, in: "de")
    }

    @Test(arguments: [
        ("%1$lld Briefe von %2$@", "2 Briefe von Lisa"), ("%lld Briefe von %@", "2 Briefe von Lisa"),
        ("Von %2$@: %1$lld", "Von Lisa: 2"), ("%1$@ Briefe", "2 Briefe"), ("100 %% von %2$@", "100 % von Lisa"),
        ("%2$@, %2$@!", "Lisa, Lisa!"), ("%1$lld%2$@", "2Lisa"), ("Briefe", "Briefe"),
        ("%1$lld\u{20DD} von %2$@\u{301}%%\u{301}", "2\u{20DD} von Lisa\u{301}%\u{301}"),
    ])
    func `a placeholder takes the parameter at its position`(german: String, text: String) throws {
        #expect(try self.text(german) == text)
    }

    @Test func `a parameter is a text, a number or a truth value`() throws {
        #expect(try text("%2$@", letters(1, 2.5)) == "2.5")
        #expect(try text("%2$@", letters(1, true)) == "true")
        #expect(try text("%2$@", letters(1, nil)) == nil)
    }

    // MARK: Numbers, dates and times

    func formatted(_ german: String, _ value: Value) throws -> String? {
        try Translations(
            catalog([
                "letters.unread": ["de": unit(german)], "format.decimalSeparator": ["de": unit(",")],
                "format.date": ["de": unit("%3$@.%2$@.%1$@")],
                "format.dateTime": ["de": unit("%3$@.%2$@.%1$@, %4$@:%5$@ Uhr")],
            ])
        ).text(of: Message(code: "letters.unread", text: "", parameters: ["value": value]), in: "de-AT")
    }

    @Test(
        arguments: [
            (2, "2", nil), (2.5, "2,5", "2,50"), (-0.125, "-0,125", "-0,13"), (1_234_567.0, "1234567,0", "1234567,00"),
            ("2027-03-01", "01.03.2027", nil), ("2027-03-01T09:05:59.5Z", "01.03.2027, 09:05 Uhr", nil),
            ("2027-03-01T00:30:00+01:00", "28.02.2027, 23:30 Uhr", nil), ("2027-02-30", "2027-02-30", nil),
            ("12.50", "12.50", nil), (true, "true", nil),
        ] as [(Value, String, String?)]
    )
    func `numbers, dates and times are written as the catalog says`(value: Value, text: String, fixed: String?) throws {
        #expect(try formatted("%1$@", value) == text)
        if let fixed { #expect(try formatted("%1$.2f", value) == fixed) }
    }

    @Test func `a fixed number of fraction digits needs a number`() throws {
        #expect(try formatted("%.2f", 3) == "3,00")
        #expect(try formatted("%.0f", 2.5) == "3")
        #expect(try formatted("%.2f", "3") == nil)
        #expect(try formatted("%.2f", 1e300) == "1e+300")
    }

    @Test func `without formats, values are written as in JSON`() throws {
        #expect(try text("%2$@", letters(1, "2027-03-01")) == "2027-03-01")
    }

    @Test func `a message that lacks a parameter of a translation has no text`() throws {
        #expect(try text("%3$@") == nil)
        #expect(try text("%1$lld", letters("two")) == nil)
        #expect(try text("%1$lld", Message(code: "letters.unread", text: "")) == nil)
    }

    @Test(arguments: [
        ("%d", "%d"), ("%1$d Briefe", "%1$d"), ("%.2lf", "%.2lf"), ("%.f", "%.f"), ("%f", "%f"), ("%.9f", "%.9f"),
        ("%s", "%s"), ("%#@letters@", "%#@"), ("100 %", "%"),
        ("100 % Rabatt", "%"), ("%0$@", "%0$@"), ("%100$@", "%100$@"), ("%1@", "%1@"), ("%1$ld", "%1$ld"),
        ("%arg", "%a"), ("%%%", "%"),
    ])
    func `any other placeholder is rejected with its key and language`(german: String, placeholder: String) throws {
        let error = #expect(throws: TranslationsError.self) { try text(german) }
        #expect(error == .unsupportedPlaceholder(placeholder, key: "letters.unread", language: "de"))
        #expect(
            error.map { "\($0)" }?.contains("'letters.unread' in the language 'de' contains '\(placeholder)'") == true
        )
    }

    // MARK: Plurals

    func plural(_ language: String, _ forms: Value) throws -> (Int) -> String? {
        let translations = try Translations(
            catalog(["letters.unread": .object([language: ["variations": ["plural": forms]]])])
        )
        return { translations.text(of: letters(Value($0)), in: language) }
    }

    static let oneAndOther: Value = [
        "one": ["stringUnit": ["value": "Ein Brief von %2$@"]],
        "other": ["stringUnit": ["value": "%1$lld Briefe von %2$@"]],
    ]

    @Test(arguments: [
        ("de", [1, -1], [0, 2]), ("fr", [0], [2]), ("pt-BR", [0], [2]), ("pt-PT", [1], [0]), ("is", [21], [11]),
        ("fil", [5], [14]), ("tzm", [11], [2]),
    ])
    func `the language decides which numbers have the plural form one`(language: String, one: [Int], other: [Int])
        throws
    {
        let text = try plural(language, Self.oneAndOther)
        for count in one { #expect(text(count) == "Ein Brief von Lisa") }
        for count in other { #expect(text(count) == "\(count) Briefe von Lisa") }
    }

    @Test func `the form other alone applies to all numbers`() throws {
        #expect(try plural("de", ["other": ["stringUnit": ["value": "%1$lld Brief(e)"]]])(1) == "1 Brief(e)")
    }

    @Test(arguments: ["zero", "two", "few", "many"])
    func `another plural form is rejected`(form: String) throws {
        let unit: Value = ["stringUnit": ["value": "Briefe"]]
        #expect(throws: TranslationsError.unsupportedVariation(form, key: "letters.unread", language: "pl")) {
            try plural("pl", .object([form: unit, "other": unit]))
        }
    }

    @Test(
        arguments: [
            (["one": ["stringUnit": ["value": "Brief"]]], "'plural' must contain 'other', an object"),
            ([:], "'plural' must contain 'other', an object"),
            (["other": 3], "'plural' must contain 'other', an object"),
            (["other": ["stringUnit": ["value": "Briefe"]], "one": 3], "'one' must be an object"),
        ] as [(Value, String)]
    )
    func `the form other is needed, and both forms are objects`(forms: Value, reason: String) throws {
        let error = TranslationsError.malformedCatalog("\(reason), in the language 'de'", key: "letters.unread")
        #expect(throws: error) { try plural("de", forms) }
    }

    @Test func `variations by device and substitutions are rejected`() throws {
        let device: Value = ["variations": ["device": ["iphone": unit("Tippen"), "other": unit("Klicken")]]]
        #expect(throws: TranslationsError.unsupportedVariation("device", key: "a.b", language: "de")) {
            try Translations(catalog(["a.b": ["de": device]]))
        }
        let substitutions: Value = ["stringUnit": ["value": "x"], "substitutions": [:]]
        let error = #expect(throws: TranslationsError.self) {
            try Translations(catalog(["a.b": ["de": substitutions]]))
        }
        #expect(error == .unsupportedVariation("substitutions", key: "a.b", language: "de"))
        #expect(error.map { "\($0)" }?.contains("only the plural variations 'one' and 'other' are") == true)
    }

    @Test func `the service's own messages are translated to the languages that a program translates to`() throws {
        let missing = FieldFault("name", .missing).message
        let austrian = try Translations(
            catalog(["a.b": ["de-AT": unit("B")], "value.list": ["de-AT": unit("Liste!")]])
        )
        #expect(austrian.completed.text(of: missing, in: "de-AT") == "Füllen Sie dieses Feld aus.")
        #expect(austrian.completed.template(of: "value.list", in: "de-AT")?.text([:], .neutral) == "Liste!")
        #expect(try Translations(catalog(["a.b": ["fr": unit("B")]])).completed.languages == ["fr"])
        #expect(Translations().completed.isEmpty)
    }

    // MARK: The file

    @Test func `texts that are new or empty are not translations`() throws {
        let new: Value = ["stringUnit": ["state": "new", "value": "Wrong"]]
        #expect(try Translations(catalog(["a.b": ["de": new, "fr": unit("")], "a.c": [:]])).isEmpty)
    }

    @Test func `texts of the app are ignored, whatever they contain`() throws {
        let app: Value = ["stringUnit": ["value": "%d"]]
        let translations = try Translations(
            catalog([
                "Pay %d": ["de": app], "": [:], "OK": ["de": app], "Straße": ["de": app], "a.b": ["de": unit("B")],
            ])
        )
        #expect(translations.codes(in: "de") == ["a.b"])
    }

    @Test func `only the texts of the pages' messages must be supported, if the pages are known`() throws {
        let app: Value = ["stringUnit": ["value": "%d"]]
        let json = catalog([
            "settings.price": ["de": app], "settings.title": ["de": unit("C")], "a.b": ["de": unit("B")],
        ])
        #expect(throws: TranslationsError.self) { try Translations(catalog: json) }
        #expect(throws: TranslationsError.self) { try Translations(catalog: json, codes: ["settings.price"]) }
        #expect(try Translations(catalog: json, codes: ["a.b"]).codes(in: "de") == ["a.b", "settings.title"])
    }

    @Test(arguments: [
        "": "The catalog is not JSON: the text ends too early (at byte 0).",
        "[]": "The file is not a String Catalog: it lacks 'sourceLanguage'.",
        #"{"sourceLanguage":"en"}"#: "The file is not a String Catalog: it lacks 'strings', an object.",
        #"{"sourceLanguage":"en","strings":{"a.b":1}}"#:
            "The file is not a String Catalog: a key must contain an object (key 'a.b').",
        #"{"sourceLanguage":"en","strings":{"a.b":{"localizations":{"de":{}}}}}"#:
            "The file is not a String Catalog: a text must be in 'stringUnit', with a 'value', in the language 'de' (key 'a.b').",
        #"{"sourceLanguage":"en","strings":{"a.b":{"localizations":{"german!":{}}}}}"#:
            "The key 'a.b' has a text in the language 'german!', which is not a valid language tag such as 'de' or 'de-AT'.",
    ])
    func `a file that is not a catalog is rejected`(text: String, explanation: String) {
        let error = #expect(throws: TranslationsError.self) { try Translations(catalog: text.bytes) }
        #expect(error.map { "\($0)" } == explanation)
    }

    // MARK: Languages

    @Test func `the texts of a region complete those of its language`() throws {
        let translations = try Translations(
            catalog(["a.b": ["de": unit("B"), "de-at": unit("B, bitte")], "a.c": ["de": unit("C")]])
        )
        #expect(translations.languages == ["de", "de-AT"])
        #expect(translations.text(of: Message(code: "a.b", text: ""), in: "de-AT") == "B, bitte")
        #expect(translations.text(of: Message(code: "a.c", text: ""), in: "de-AT") == "C")
        #expect(translations.text(of: Message(code: "a.c", text: ""), in: "fr") == nil)
    }

    @Test func `merged translations take precedence`() throws {
        let own = try Translations(catalog(["a.b": ["de": unit("B")], "a.c": ["de": unit("C")]]))
        let others = try Translations(catalog(["a.b": ["de": unit("Bee"), "fr": unit("Bé")]]))
        let merged = own.merging(others)
        #expect(merged.languages == ["de", "fr"])
        #expect(merged.text(of: Message(code: "a.b", text: ""), in: "de") == "Bee")
        #expect(merged.text(of: Message(code: "a.c", text: ""), in: "de") == "C")
    }
}

extension Translations {
    init(_ catalog: [UInt8]) throws(TranslationsError) { try self.init(catalog: catalog) }
}
