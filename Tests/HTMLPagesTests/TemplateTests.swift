import TestSupport

@testable import HTMLPages

/// The language of templates.
@Suite struct TemplateTests {
    private static let values: [String: TemplateValue] = [
        "name": .text("Lisa"), "empty": .text(""), "zero": .json(0), "none": .json(.null), "no": .json(false),
        "yes": .json(true), "count": .json(3), "nothing": .json([]), "time": .text("2027-03-01T09:30:00Z"),
        "lines": .json(["a", "b"]), "user": .json(["name": "Bart", "address": ["city": "Springfield"]]),
        "list": .json([["name": "x"], ["name": .null], [:]]), "raw": .text("<b>"),
        "lazy": .computed { ["name": "later"] },
    ]

    private static func render(_ text: String, _ others: [String: String] = [:]) throws -> String {
        var content = try PageContent(below: "")
        try content.add(templates: others)
        try content.add(templates: ["tested": text])
        return String(decoding: try content.render("tested", values), as: UTF8.self)
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
        (
            "{{time(time)}} {{time(name)}}|{{#user}}{{time(time)}}{{/user}}",
            "2027-03-01 09:30 UTC |2027-03-01 09:30 UTC"
        ),
        ("a{{! {{comment }}b", "ab"),
        ("{ {{name}} }", "{ Lisa }"),
    ])
    func `tags are replaced by values`(text: String, expected: String) throws {
        #expect(try Self.render(text) == expected)
    }

    @Test(arguments: [
        ("a\n{{#yes}}\nb\n{{/yes}}\nc", "a\nb\nc"), ("a\n  {{! comment }}  \nb", "a\nb"),
        ("{{#yes}}\r\na\r\n{{/yes}}\r\n", "a\r\n"),
        (" {{#yes}} a\n{{/yes}}", "  a\n"), ("a {{#yes}}\nb{{/yes}}\n", "a \nb\n"), (" {{name}} \n", " Lisa \n"),
    ])
    func `a tag that is alone on its line takes the whole line`(text: String, expected: String) throws {
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
        ("{{#a}}{{/b}}", "line 1, column 10: the closing tag does not belong to the tag that is open"),
        ("{{! a", "line 1, column 4: expected '}}'"), ("{{=<% %>=}}", "line 1, column 3: expected a name and '}}'"),
        ("{{upper(a)}}", "line 1, column 3: expected a name, or one in 'time()'"),
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
