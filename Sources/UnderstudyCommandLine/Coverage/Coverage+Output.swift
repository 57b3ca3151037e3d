import BusinessLogic
import UnderstudyReplay

extension Coverage {
    /// The report for a person.
    var lines: [String] {
        var lines: [String] = []
        for page in pages {
            lines.append("\(Terminal.strong(page.name.escaped)): \(Self.share(page.covered, page.count))")
            for missing in page.missing {
                let outcome = missing.outcome
                lines.append("  missing: \(outcome.event), \(outcome.name)\(missing.distance)".escaped)
            }
        }
        return lines + ["\(Terminal.strong("all pages")): \(Self.share(covered, count))"]
    }

    private static func share(_ covered: Int, _ count: Int) -> String {
        "\(covered) of \(count) outcomes (\(percent(covered, count)) %)"
    }

    /// The share, rounded down, so that only all of them are 100 per cent.
    private static func percent(_ covered: Int, _ count: Int) -> Int { count == 0 ? 100 : covered * 100 / count }

    /// The report for a program.
    var json: Value {
        [
            "covered": Value(covered), "outcomes": Value(count),
            "pages": .array(
                pages.map { page in
                    [
                        "page": .string(page.name), "covered": Value(page.covered), "outcomes": Value(page.count),
                        "missing": .array(page.missing.map(\.value)),
                    ]
                }
            ),
        ]
    }

    /// The report as a page for a browser, which needs no other file.
    ///
    /// - Parameter title: the program's title.
    func html(title: String) -> String {
        let sections = pages.map { page in
            let missing = page.missing.map { "<li>\($0.html)</li>\n" }.joined()
            return """
                <section>
                <h2>\(page.name.escapedHTML)</h2>
                <p><meter min="0" max="\(page.count)" value="\(page.covered)">\(page.covered)</meter> \
                \(Self.share(page.covered, page.count))</p>
                \(missing.isEmpty ? "" : "<ul>\n\(missing)</ul>\n")</section>

                """
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Coverage – \(title.escapedHTML)</title>
            <style>
            :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
            body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
            meter { width: 12rem; vertical-align: middle; }
            ul { list-style: none; padding: 0; }
            pre { overflow-x: auto; padding: .5rem; border: 1px solid; }
            </style>
            </head>
            <body>
            <main>
            <h1>Coverage of \(title.escapedHTML)</h1>
            <p>All pages: \(Self.share(covered, count)). An outcome below is missing in the recordings. Open it to see the
            shortest sequence of events that leads to it.</p>
            \(sections.joined())</main>
            </body>
            </html>

            """
    }

    /// The share as a picture for a README.
    var badge: String {
        let percent = Self.percent(covered, count)
        let colour = percent == 100 ? "#1a7f37" : percent >= 75 ? "#7a6a00" : "#b3261e"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="120" height="20" role="img" aria-label="outcomes: \(percent) %">
            <rect width="72" height="20" fill="#444"/><rect x="72" width="48" height="20" fill="\(colour)"/>
            <g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">
            <text x="36" y="14">outcomes</text><text x="96" y="14">\(percent) %</text></g></svg>

            """
    }
}

extension Coverage.Missing {
    fileprivate var distance: String {
        guard let events else { return "; the search does not reach it" }
        return events.count == 1 ? ", after 1 event" : ", after \(events.count) events"
    }

    fileprivate var value: Value {
        [
            "event": .string(outcome.event), "outcome": .string(outcome.name),
            "events": events.map { .array($0.map(Value.object)) } ?? .null,
        ]
    }

    fileprivate var html: String {
        let title = "\(outcome.event.escapedHTML): \(outcome.name.escapedHTML)\(distance)"
        guard let events else { return title }
        let lines = events.map { event -> String in
            let values = event["values"]?.object ?? [:]
            let results = (event["answers"]?.array ?? []).filter { $0.object?["from"] != "clock" }
            let calls = results.isEmpty ? "" : "; results: \(Value.array(results).line)"
            return "\(event["page"]?.string ?? "") \(event["event"]?.string ?? "") \(Value.object(values).line)\(calls)"
        }
        return "<details><summary>\(title)</summary>\n<pre>\(lines.joined(separator: "\n").escapedHTML)</pre></details>"
    }
}

extension Value {
    fileprivate var line: String { String(decoding: json.dropLast(), as: UTF8.self) }
}
