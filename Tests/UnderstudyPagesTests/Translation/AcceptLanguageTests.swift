struct AcceptLanguageTests {
    /// The language that a service with four languages, in addition to English, chooses for a request.
    func language(_ header: String...) throws -> String {
        let tags = ["de": unit("B"), "de-AT": unit("B"), "fr": unit("B"), "zh-Hant": unit("B")] as Value
        let languages = Languages(try Translations(catalog(["a.b": tags])), of: ["a.b"], links: PageLinks())
        return try #require(languages)[Headers(header.map { ("Accept-Language", $0) })].tag
    }

    @Test func `a language that translates no message of the service is not used`() throws {
        let translations = try Translations(catalog(["a.b": ["de": unit("B")], "settings.title": ["fr": unit("C")]]))
        let languages = try #require(Languages(translations, of: ["a.b"], links: PageLinks()))
        #expect(languages.all.map(\.tag) == ["en", "de"])
        #expect(Languages(translations, of: ["a.c"], links: PageLinks()) == nil)
    }

    @Test(arguments: [
        // The range with the highest quality wins, then the first.
        ("de", "de"), ("DE", "de"), ("fr, de", "fr"), ("fr;q=0.5, de", "de"), ("fr;q=0.5,de;q=0.501", "de"),
        ("es, fr;q=0.1", "fr"), ("en, de", "en"), ("en-GB, de", "en"), ("es", "en"), ("", "en"), ("fr;Q=1.000", "fr"),
        ("fr ; q=0.2 , de ;\tq=0.3", "de"), (",,fr,,", "fr"),
        // A range loses its last parts until it is a language of the service.
        ("de-CH", "de"), ("de-AT", "de-AT"), ("de-at-1996", "de-AT"), ("de-CH-1996, fr", "de"), ("deu", "en"),
        ("zh-Hant-HK", "zh-Hant"), ("zh", "en"), ("zh-Hans", "en"), ("d", "en"),
        // An asterisk and a quality of 0 choose no language.
        ("*", "en"), ("*, de;q=0.1", "de"), ("es, *;q=0.5", "en"), ("de;q=0", "en"), ("de;q=0, fr;q=0.1", "fr"),
        ("en;q=0", "en"), ("*;q=0", "en"),
    ])
    func `a header chooses the language of a response`(header: String, tag: String) throws {
        #expect(try language(header) == tag)
    }

    @Test(arguments: [
        "de;q=2", "de;q=1.001", "de;q=0.1234", "de;q=", "de;q=a", "de;q=-1", "de;q=.5", "de;level=1", "de;", "de q=1",
        "de;q=0;q=1", ";q=1", "dé", "de--AT;x",
    ])
    func `a malformed range is ignored`(range: String) throws {
        #expect(try language(range) == "en")
        #expect(try language("\(range), fr;q=0.1") == "fr")
    }

    @Test func `several fields are one list`() throws {
        #expect(try language("es", "fr;q=0.5, es", "de;q=0.6") == "de")
    }

    @Test func `only the first 32 ranges and 1,024 bytes count`() throws {
        let ranges = { (count: Int) in "x,".repeated(count) }
        #expect(try language(ranges(31) + "de") == "de")
        #expect(try language(ranges(32) + "de") == "en")
        #expect(try language("fr;q=0.1," + " ".repeated(1100) + "de") == "fr")
    }

    @Test(arguments: [
        "de-AT;q=0,".repeated(10_000), "a-".repeated(50_000) + ",",
        ",".repeated(100_000), " ".repeated(100_000),
    ])
    func `a hostile header is not read beyond its first bytes`(header: String) throws {
        #expect(try language(header + "de") == "en")
    }
}
