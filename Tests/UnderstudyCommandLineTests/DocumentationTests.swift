import Foundation
import Testing
import Understudy

@testable import UnderstudyCommandLine

/// The documents for operators agree with the code.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `a program with its own page takes at most fifteen lines`() throws {
        #expect(try Self.text("Examples/guestbook/Sources/guestbook/main.swift").split(separator: "\n").count <= 15)
    }

    @Test(arguments: [
        ("CHANGELOG.md", "## \(UnderstudyService.version)"),
        ("README.md", "understudy_\(UnderstudyService.version)~deb"),
        ("Dockerfile", "image.version=\"\(UnderstudyService.version)\""),
        ("compose.yaml", "image: understudy:\(UnderstudyService.version)\n"),
    ])
    func `each file that states the version states the program's`(file: String, text: String) throws {
        #expect(try Self.text(file).contains(text))
    }

    /// The first column of each row, without what marks it as code, with the whole row.
    private func rows() throws -> [String: String] {
        let rows = try Self.text("docs/operating.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Dictionary(rows.map { (String($0.dropFirst(3).prefix { $0 != "`" }), String($0)) }) { $1 }
    }

    @Test func `every setting is explained, with its default`() throws {
        let rows = try rows()
        for setting in Settings.all {
            let row = try #require(rows[setting.name], "\(setting.name)")
            let text = setting.defaultText.split(separator: " ").first.map { $0.filter { $0 != "," } } ?? ""
            // Foundation says of no text that it contains an empty one.
            #expect(text.isEmpty || row.contains(text), "\(setting.name): \(setting.defaultText)")
        }
    }

    @Test func `every metric is explained`() throws {
        let rows = try rows()
        for (name, meaning) in UnderstudyService.metricDescriptions.merging(
            HashingMetrics.descriptions,
            uniquingKeysWith: { $1 }
        ) {
            #expect(rows[name]?.contains("| \(meaning) |") == true, "\(name)")
        }
    }

    // MARK: docs/security.md

    /// What the page says shows a guarantee: the names behind `attack` and `test`, in lists as well.
    private static func evidence(_ kind: String) throws -> [String] {
        let text = try text("docs/security.md")
        let lists = try Regex("\\b\(kind)s? ((?:`[^`]+`(?:, )?)+)", as: (Substring, Substring).self)
        return text.matches(of: lists).flatMap { list in
            list.1.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    private static func texts(in folder: String, _ suffix: String) throws -> String {
        let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        var texts = ""
        while let file = files?.nextObject() as? String {
            if file.hasSuffix(suffix) { texts += try text("\(folder)/\(file)") }
        }
        return texts
    }

    @Test func `every attack that docs/security.md names is one of scripts/attack`() throws {
        let names = try Self.evidence("attack")
        let source = try Self.texts(in: "scripts/lib/attack", ".py")
        #expect(names.count > 30)
        for name in names {
            #expect(source.contains("\ndef \(name.replacing("-", with: "_"))(run):"), "\(name)")
        }
    }

    @Test func `every test that docs/security.md names exists`() throws {
        let names = try Self.evidence("test")
        let source = try Self.texts(in: "Tests", ".swift")
        #expect(names.count > 10)
        for name in names {
            #expect(source.contains("func `\(name)`("), "\(name)")
        }
    }
}
