@testable import UnderstudyCommandLine

/// Checks that the documents agree with the program.
struct DocumentationTests {
    @Test func `a program that serves a page has at most fifteen lines`() throws {
        #expect(try Checkout.text("Examples/guestbook/Sources/guestbook/main.swift").split(separator: "\n").count <= 15)
    }

    @Test(arguments: [
        ("CHANGELOG.md", "## \(UnderstudyService.version)"),
        ("README.md", "understudy_\(UnderstudyService.version)~deb"),
        ("Dockerfile", "image.version=\"\(UnderstudyService.version)\""),
        ("compose.yaml", "image: understudy:\(UnderstudyService.version)\n"),
    ])
    func `each file that states the version states the program's`(file: String, text: String) throws {
        #expect(try Checkout.text(file).contains(text))
    }

    /// The rows of the tables for operators, by the name in their first column.
    func rows() throws -> [String: String] {
        let rows = try ["docs/settings.md", "docs/observe.md"].flatMap { try Checkout.text($0).split(separator: "\n") }
            .filter { $0.hasPrefix("| `") }
        return Dictionary(rows.map { (String($0.dropFirst(3).prefix { $0 != "`" }), String($0)) }) { $1 }
    }

    @Test func `docs/settings.md has each setting, its default, and whether SIGHUP applies it`() throws {
        let rows = try rows()
        let plain = { (text: String) in text.filter { $0 != "`" && $0 != "'" } }
        for setting in Settings.all {
            let cells = [setting.name, setting.defaultText, setting.isReloadable ? "yes" : "", setting.help]
            let row = plain("| \(cells.joined(separator: " | ")) |")
            #expect(rows[setting.name].map(plain) == row, "Run scripts/docs --update")
        }
    }

    @Test func `docs/accounts.md explains every event of the audit log`() throws {
        let rows = try Checkout.text("docs/accounts.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { $0.split(separator: "|")[0].split(separator: "`") }
        for kind in AuditEvent.Kind.allCases { #expect(names.contains(Substring(kind.rawValue)), "\(kind)") }
    }

    @Test func `docs/observe.md explains every metric`() throws {
        let rows = try rows()
        for (name, meaning) in ServerMetrics.descriptions {
            #expect(rows[name]?.contains("| \(meaning) |") == true, "\(name)")
        }
    }

    /// The labels of metrics, besides those that Prometheus adds.
    static let labels = [
        "understudy_requests_total": ["page", "event", "status"], "understudy_problems_total": ["code"],
        "understudy_request_duration_seconds": ["page", "event", "le"], "understudy_loop_lag_seconds": ["loop"],
        "understudy_states_discarded_total": ["page"], "understudy_session_values_discarded_total": ["value"],
        "understudy_updates_total": ["page", "update", "result"], "understudy_database_connections": ["state"],
        "understudy_database_statement_duration_seconds": ["statement", "le"],
        "understudy_database_errors_total": ["kind"], "understudy_mail_failures_total": ["kind"],
        "understudy_logins_total": ["factor"], "understudy_login_failures_total": ["reason"],
        "understudy_signups_total": ["result"], "understudy_codes_total": ["result"],
        "understudy_account_changes_total": ["change"], "understudy_limits_applied_total": ["limit"],
        "understudy_build_info": ["version", "understudy", "commit"],
    ]

    /// Expects that an expression of PromQL is about metrics that docs/observe.md explains, and their labels.
    func expectKnown(_ expression: String, _ rows: [String: String]) {
        var all: Set<String> = ["instance"]
        for match in expression.matches(of: /((?:understudy|process)_[a-z_]+)(?:\{([^}]*)\})?/) {
            let name = String(match.1).replacing(/_(bucket|count|sum)$/, with: "")
            #expect(rows[name] != nil, "\(name)")
            let known = (Self.labels[name] ?? []) + ["instance", "job"]
            all.formUnion(known)
            let used = (match.2 ?? "").matches(of: /([a-z]+)(?:=~|!~|!=|=)"/).map { String($0.1) }
            #expect(Set(used).isSubset(of: known), "\(expression)")
        }
        let grouped = expression.matches(of: /by \(([a-z, ]+)\)/)
            .flatMap { $0.1.split(separator: ", ").map(String.init) }
        #expect(Set(grouped).isSubset(of: all), "\(expression)")
    }

    @Test func `each query of the dashboard is about a metric and its labels`() throws {
        let rows = try rows()
        let queries = try Checkout.text("Examples/grafana/understudy.json").matches(of: /"expr": "((?:[^"\\]|\\.)*)"/)
        #expect(queries.count > 20)
        for query in queries { expectKnown(String(query.1).replacing("\\\"", with: "\""), rows) }
    }

    @Test func `each alert is about metrics and their labels, is explained and tested, and names a section`() throws {
        let rows = try rows()
        let rules = try Checkout.text("Examples/prometheus/understudy.rules.yml").split(separator: "- alert: ")
            .dropFirst()
        let tests = try Checkout.text("Examples/prometheus/understudy.rules.test.yml")
        #expect(rules.count > 20)
        for rule in rules {
            let name = String(rule.prefix { $0 != "\n" })
            let expression = try #require(rule.firstMatch(of: /expr: ((?:.|\n)*?)\n +(?:for|labels):/)).1
            expectKnown(String(expression), rows)
            #expect(rows[name] != nil, "\(name)")
            #expect(tests.contains("alertname=\"\(name)\""), "\(name)")
            for text in ["severity: ", "summary: ", "description: "] { #expect(rule.contains(text), "\(name)") }
            let runbook = try #require(rule.firstMatch(of: /runbook: (docs\/\w+\.md)#(\S+)/))
            let headings = try Self.headings(of: Checkout.root.appendingPathComponent(String(runbook.1)))
            #expect(headings.contains(String(runbook.2)), "\(name)")
        }
    }

    // MARK: All documents

    @Test func `the README has 120 to 150 lines`() throws {
        let lines = try Checkout.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect((120...150).contains(lines.count))
    }

    static func documents() throws -> [String] {
        try [
            "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md",
            "Examples/prometheus/README.md",
        ] + Checkout.files(below: "docs", endingIn: ".md")
    }

    /// The headings of a document, as links name them.
    static func headings(of file: URL) throws -> [String] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
        return lines.map { line in
            line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                .filter { $0.isLetter || $0.isNumber || $0 == "-" }
        }
    }

    @Test(arguments: try documents())
    func `a link to a file or a heading leads to it`(document: String) throws {
        let file = Checkout.root.appendingPathComponent(document)
        for link in try Checkout.text(document).matches(of: /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/) {
            let folder = file.deletingLastPathComponent()
            let target = link.1.isEmpty ? file : folder.appendingPathComponent(String(link.1))
            #expect(Files.exists(target.path), "\(link.0)")
            guard let heading = link.2 else { continue }
            #expect(try Self.headings(of: target).contains(String(heading)), "\(link.0)")
        }
    }

    @Test(arguments: ["docs/architecture.md", "CONTRIBUTING.md"])
    func `a file or folder of Swift that a document names exists`(document: String) throws {
        let paths = try ["Sources", "Tests"].flatMap { try Checkout.files(below: $0, endingIn: "").map { "/\($0)" } }
        let names = try Checkout.text(document).matches(
            of: /`((?:[\w+]+\/)*[\w+]+\.swift|(?:Sources|Tests)(?:\/\w+)*)`/
        )
        #expect(!names.isEmpty)
        for name in names where !["Package.swift", "Sources", "Tests"].contains(name.1) {
            #expect(paths.contains { $0.hasSuffix("/" + name.1) }, "\(name.1)")
        }
    }

    // MARK: docs/security.md

    /// The names of the attacks or tests that docs/security.md gives as evidence.
    static func evidence(_ kind: String) throws -> [String] {
        let text = try Checkout.text("docs/security.md")
        let lists = try Regex("\\b\(kind)s? ((?:`[^`]+`(?:, )?)+)", as: (Substring, Substring).self)
        return text.matches(of: lists).flatMap { list in list.1.matches(of: /`([^`]+)`/).map { String($0.1) } }
    }

    static func texts(in folder: String, _ suffix: String) throws -> String {
        try Checkout.files(below: folder, endingIn: suffix).map(Checkout.text).joined()
    }

    @Test func `every attack and every test that docs/security.md names exists`() throws {
        let (attacks, tests) = (try Self.evidence("attack"), try Self.evidence("test"))
        #expect(attacks.count > 30 && tests.count > 10)
        let scripts = try Self.texts(in: "scripts/checks/lib/attack", ".py")
        for name in attacks {
            #expect(scripts.contains("\ndef \(name.replacing("-", with: "_"))(run):"), "\(name)")
        }
        let source = try Self.texts(in: "Tests", ".swift")
        for name in tests {
            // A test, or a scenario of one of the controllers' tests.
            #expect(source.contains("func `\(name)`(") || source.contains("\"\(name)\","), "\(name)")
        }
    }
}
