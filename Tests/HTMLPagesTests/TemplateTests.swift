@testable import HTMLPages

/// The language of templates.
struct TemplateTests {
    static let values: [String: TemplateValue] = [
        "name": .text("Lisa"), "empty": .text(""), "zero": .json(0), "none": .json(.null), "no": .json(false),
        "yes": .json(true), "count": .json(3), "nothing": .json([]),
        "lines": .json(["a", "b"]), "user": .json(["name": "Bart", "address": ["city": "Springfield"]]),
        "list": .json([["name": "x"], ["name": .null], [:]]), "raw": .text("<b>"),
        "lazy": .computed { ["name": "later"] },
    ]

    static func render(_ text: String, _ others: [String: String] = [:]) throws -> String {
        var content = try PageContent(below: "")
        try content.add(templates: others)
        try content.add(templates: ["tested": text])
        return try content.render("tested", values).text
    }

    @Test(arguments: [
        ("{{name}}, {{ user.address.city }}.", "Lisa, Springfield."),
        ("{{missing}}{{user.missing.city}}{{name.x}}|", "|"),
        ("{{#user}}{{name}} {{zero}}{{/user}}", "Bart 0"), ("{{#lines}}<{{.}}>{{/lines}}", "<a><b>"),
        // A member that is null is known, so that it hides the name around it.
        ("{{#list}}{{name}},{{/list}}", "x,,Lisa,"), ("{{count}} {{yes}} {{no}} {{none}}|", "3 true false |"),
        ("{{#empty}}a{{/empty}}{{#zero}}b{{/zero}}{{#none}}c{{/none}}{{#no}}d{{/no}}{{#nothing}}e{{/nothing}}|", "|"),
        (
            "{{^empty}}a{{/empty}}{{^zero}}b{{/zero}}{{^none}}c{{/none}}{{^no}}d{{/no}}{{^nothing}}e{{/nothing}}",
            "abcde"
        ),
        ("{{#yes}}{{name}}{{/yes}}{{^yes}}no{{/yes}}{{^missing}}!{{/missing}}", "Lisa!"),
        ("{{raw}} {{{raw}}} {{&raw}} {{& raw }}", "&lt;b&gt; <b> <b> <b>"),
        ("{{lazy.name}}{{#lazy}} {{name}}{{/lazy}}", "later later"),
        ("a{{! {{comment }}b", "ab"),
        ("{ {{name}} }", "{ Lisa }"),
        // A tag that is alone on its line takes the whole line.
        ("a\n{{#yes}}\nb\n{{/yes}}\nc", "a\nb\nc"), ("a\n  {{! comment }}  \nb", "a\nb"),
        ("{{#yes}}\r\na\r\n{{/yes}}\r\n", "a\r\n"),
        (" {{#yes}} a\n{{/yes}}", "  a\n"), ("a {{#yes}}\nb{{/yes}}\n", "a \nb\n"), (" {{name}} \n", " Lisa \n"),
    ])
    func `tags are replaced by values`(text: String, expected: String) throws {
        #expect(try Self.render(text) == expected)
    }

    @Test(arguments: [
        ("{{>part}}", "one Lisa\ntwo\n"), ("<{{>part}}>", "<one Lisa\ntwo\n>"),
        ("  {{>part}}\n.", "one Lisa\ntwo\n."),
        ("{{>missing}}.", "."), ("{{#list}}{{>item}}{{/list}}", "xLisa"),
        ("{{<frame}}ignored{{$a}}1{{/a}}\n{{$c}}3{{/c}}{{/frame}}", "1 b"),
        ("{{<frame}}{{/frame}}{{$b}}d{{/b}}", "a bd"),
        ("{{<outer}}{{$a}}1{{/a}}{{/outer}}", "1 2"),
        // Blocks contain blocks, also in a section.
        ("{{$a}}{{$b}}Mine{{/b}}{{/a}}", "Mine"), ("{{<frame}}{{$a}}{{$c}}Mine{{/c}}{{/a}}{{/frame}}", "Mine b"),
        ("{{<frame}}{{$a}}{{#yes}}{{$c}}Mine{{/c}}{{/yes}}{{/a}}{{/frame}}", "Mine b"),
    ])
    func `templates include others, and replace their blocks`(text: String, expected: String) throws {
        let others = [
            "part": "one {{name}}\ntwo\n", "item": "{{name}}", "frame": "{{$a}}a{{/a}} {{$b}}b{{/b}}",
            "outer": "{{<frame}}{{$a}}0{{/a}}{{$b}}2{{/b}}{{/frame}}",
        ]
        #expect(try Self.render(text, others) == expected)
    }

    @Test(arguments: [
        ("a\n é{{x", "line 2, column 5: expected a name and '}}'"),
        ("{{a}}\n{{#b}}\n", "line 2, column 4: expected a closing tag"),
        ("{{! a", "line 1, column 4: expected '}}'"), ("{{=<% %>=}}", "line 1, column 3: expected a name and '}}'"),
        ("{{upper(a)}}", "line 1, column 3: expected a name and '}}'"),
        ("{{}}", "line 1, column 3: expected a name and '}}'"),
        ("{{>*a}} {{a*}}{{>é}}", "line 1, column 18: expected a name and '}}'"),
        ("{{<a}}{{b}}{{/a}}", "line 1, column 4: expected only blocks in the tag"),
    ])
    func `a template that is not valid is reported with its place`(text: String, reason: String) {
        #expect {
            _ = try Self.render(text)
        } throws: {
            ($0 as? HTMLTemplateError)?.reason == reason
        }
    }

    @Test func `a template that includes itself for a value that never ends is reported`() {
        for text in [
            "{{#yes}}{{>tested}}{{/yes}}", "{{#name}}{{>tested}}{{>tested}}{{/name}}",
            "{{<frame}}{{$a}}{{$a}}{{/a}}{{/a}}{{/frame}}",
        ] {
            #expect {
                _ = try Self.render(text, ["frame": "{{$a}}{{/a}}"])
            } throws: {
                "\($0)" == "the template 'tested' is invalid: it includes itself, or one that includes it, without end"
            }
        }
    }
}

/// What the server shows of the bindings of the module.
struct TemplateBindingsTests {
    /// What a page shows that declares a list of orders, an amount, a time and a choice.
    static let content: Value = [
        "rendered": [
            "name": "Lisa & Bart", "none": .null, "no": false, "yes": true, "total": 900.5, "day": "2027-03-01",
            "placed": "2027-03-01T09:30:00.123Z", "size": "large", "link": " java\tScript:alert(1)",
            "orders": [
                ["id": "a/1", "size": "large", "paid": true, "lines": [["product": "Tea", "count": 2]]],
                ["id": "b&", "size": "<", "paid": false, "lines": []],
            ],
        ],
        "outputs": [
            ["key": "total", "schema": ["type": "number", "format": "decimal"]],
            ["key": "day", "schema": ["type": "string", "format": "date"]],
            ["key": "placed", "schema": ["type": ["string", "null"], "format": "date-time"]],
            ["key": "size", "schema": ["type": "string", "enum": ["small", "large"]]],
            [
                "key": "orders",
                "schema": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "properties": ["size": ["type": "string", "enum": ["large"]], "paid": ["type": "boolean"]],
                    ],
                ],
            ],
        ],
    ]

    static func render(_ text: String, language: String = "en") throws -> String {
        let texts = catalog(["choice.large": ["en": unit("Large")], "choice.orders.size.large": ["en": unit("L")]])
        var pages = try PageContent(below: "")
        try pages.add(templates: ["tested": text])
        let labels = try Labels(adding: Translations(catalog: texts))
        let outputs = ShownOutputs(page: "tested", content, labels[language: language])
        return try pages.render("tested", ["prefix": .text("/a&b"), "title": .text("T")], outputs).text
    }

    @Test(arguments: [
        (#"<b data-us-text="name"></b>"#, #"<b data-us-text="name">Lisa &amp; Bart</b>"#),
        // The template says itself what the element contains.
        (#"<b data-us-text="name">{{title}}</b>"#, #"<b data-us-text="name">T</b>"#),
        (
            #"<p data-us-page="tested" data-us-text="size"></p>"#,
            #"<p data-us-page="tested" data-us-text="size">Large</p>"#
        ),
        (#"{{#title}}<b data-us-text="size"></b>{{/title}}"#, #"<b data-us-text="size">Large</b>"#),
        (#"<!-- <b> --><i data-us-text="size"></i>"#, #"<!-- <b> --><i data-us-text="size">Large</i>"#),
        // An attribute that the tag has already stays.
        (
            #"<a data-us-attribute="hidden:yes"{{^title}} hidden{{/title}}>"#,
            #"<a data-us-attribute="hidden:yes">"#
        ),
        (#"<a class="b" data-us-attribute="class.on:yes">"#, #"<a class="b on" data-us-attribute="class.on:yes">"#),
        (
            #"<a data-us-attribute="class.on:yes" class='{{title}}'>"#,
            #"<a data-us-attribute="class.on:yes" class='T on'>"#
        ),
    ])
    func `an empty element has the text of its value, and a tag keeps its own attributes`(
        text: String,
        expected: String
    ) throws {
        #expect(try Self.render(text) == expected)
    }

    @Test(arguments: [
        #"<b data-us-text="name"> </b>"#, #"<b data-us-text="none"></b><b data-us-text="no"></b>"#,
        #"<b data-us-text=missing></b>"#, #"<p data-us-page="other"><b data-us-text="name"></b>"#,
        #"<a title="x" data-us-attribute="title:name">"#, #"<a data-us-attribute="hidden:yes""#,
    ])
    func `an element with its own content or attribute, no value or no end stays as it is`(text: String) throws {
        #expect(try Self.render(text) == text)
    }

    @Test(arguments: [
        ("en", "900.50 2027-03-01 2027-03-01 09:30 UTC"), ("de", "900,50 01.03.2027 01.03.2027, 09:30 Uhr (UTC)"),
    ])
    func `a value is written by its type in the reader's language`(language: String, expected: String) throws {
        let text = ["total", "day", "placed"].map { "<b data-us-text=\"\($0)\"></b>" }.joined(separator: " ")
        #expect(try Self.render(text, language: language).replacing(/<[^>]*>/, with: "") == expected)
    }

    @Test(arguments: [
        (#"hidden:no"#, ""), (#"hidden:!no"#, " hidden"), (#"hidden:!missing"#, " hidden"),
        (#"disabled:yes, aria-disabled:yes"#, ""),
        (#"title:name"#, #" title="Lisa &amp; Bart""#), (#"title:none, value:total"#, #" value="900.5""#),
        (#"aria-busy:yes"#, #" aria-busy="true""#), (#"data-x:yes"#, #" data-x="""#),
        (#"href:/{name}?x={total}"#, #" href="/Lisa%20%26%20Bart?x=900.5""#),
        (#"href:{{prefix}}/{size}"#, #" href="/a&amp;b/large""#), (#"href:link"#, ""),
        (#"class.on:yes, class.off:no"#, #" class=" on""#),
    ])
    func `an element has the attributes from its values`(binding: String, expected: String) throws {
        let shown = binding.replacing("{{prefix}}", with: "/a&amp;b")
        let text = #"<a data-us-attribute="\#(binding)">"#
        #expect(try Self.render(text) == #"<a data-us-attribute="\#(shown)"\#(expected)>"#)
    }

    @Test func `a list has the rows of its template`() throws {
        let row =
            #"<li data-us-attribute="id:{{title}}-{id}"><b data-us-text="size"></b><ul data-us-list="lines"><template><li data-us-text="product"></li></template></ul></li>"#
        let text = #"<ul data-us-list="orders"> <template>\#(row)</template></ul><b data-us-text="size"></b>"#
        func shown(_ id: String, _ size: String, _ lines: String) -> String {
            row.replacing("{{title}}", with: "T").replacing(#""><b"#, with: "\" id=\"T-\(id)\"><b").replacing(
                "></b>",
                with: ">\(size)</b>"
            )
            .replacing("</ul>", with: "\(lines)</ul>")
        }
        #expect(
            try Self.render(text)
                == #"<ul data-us-list="orders"> <template>\#(row.replacing("{{title}}", with: "T"))</template>"#
                + shown("a%2F1", "L", #"<li data-us-text="product">Tea</li>"#) + shown("b%26", "&lt;", "")
                + #"</ul><b data-us-text="size">Large</b>"#
        )
    }

    @Test func `a list whose rows the template has shows these`() throws {
        let text = #"<ul data-us-list="orders"><template><li></li></template> {{#title}}<li>{{.}}</li>{{/title}}</ul>"#
        #expect(try Self.render(text) == #"<ul data-us-list="orders"><template><li></li></template> <li>T</li></ul>"#)
    }

    @Test(arguments: [
        ("yes", true), ("!yes", false), ("no", false), ("!no", true), ("missing", false), ("!missing", false),
    ])
    func `what a template contains is shown while its value is true`(key: String, isShown: Bool) throws {
        let text = #"<template data-us-if="\#(key)"><p data-us-text="name"></p></template>."#
        let shown = #"<p data-us-shown data-us-text="name">Lisa &amp; Bart</p>"#
        #expect(try Self.render(text) == text.dropLast() + (isShown ? shown : "") + ".")
    }

    @Test func `templates of elements can be in each other without end`() throws {
        let text = "<template data-us-if=yes>".repeated(10_000)
        #expect(try Self.render(text + "<b data-us-text=name></b>").contains("<b data-us-text=name></b>"))
    }

    @Test func `lists and objects are written with all that is in them`() throws {
        let text = try Self.render(#"<b data-us-text="orders"></b>"#)
        #expect(text == #"<b data-us-text="orders">a/1, L, Yes, Tea, 2; b&amp;, &lt;, No</b>"#)
    }

    @Test func `each value is escaped byte by byte`() throws {
        var pages = try PageContent(below: "")
        let bindings = #"data-us-text="text" data-us-attribute="title:text, href:/{text}""#
        try pages.add(templates: [
            "tested": "<ul data-us-list=list><template><b \(bindings)></b></template></ul><i \(bindings)></i>"
        ])
        for text in HostileTexts.all(length: 60, seed: 3) {
            let content: Value = ["rendered": ["text": .string(text), "list": [["text": .string(text)]]]]
            let outputs = ShownOutputs(page: "tested", content, try Labels(adding: Translations())[language: "en"])
            let shown = try pages.render("tested", [:], outputs).text
            #expect(shown.matches(of: /<\/?[a-z]/.matchingSemantics(.unicodeScalar)).count == 10)
            #expect(shown.utf8.count { $0 == UInt8(ascii: "\"") } == 20)
        }
    }
}
