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
        // Rounded down, so that only all of them are 100 per cent.
        let percent = count == 0 ? 100 : covered * 100 / count
        return "\(covered) of \(count) outcomes (\(percent) %)"
    }

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
}

extension Coverage.Missing {
    fileprivate var distance: String {
        guard let events else { return "; the search does not reach it" }
        return ", after \(String.count(events.count, "event"))"
    }

    fileprivate var value: Value {
        [
            "event": .string(outcome.event), "outcome": .string(outcome.name),
            "events": events.map { .array($0.map(Value.object)) } ?? .null,
        ]
    }
}
