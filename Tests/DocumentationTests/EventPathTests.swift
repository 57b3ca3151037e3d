import Foundation
import HTTPTestClient
import Testing

/// docs/architecture.md describes the path of an event as a table: each row names a function and what it calls.
@Suite struct EventPathTests {
    struct Step: CustomTestStringConvertible {
        let file: String
        let function: String
        let calls: [String]

        var testDescription: String { "\(function) in \(file)" }

        /// The type that the file is named after.
        var type: String { String(file.split(separator: "/").last?.split(separator: ".").first ?? "") }

        init?(row: String) {
            let cells = row.split(separator: "|").map { $0.split(separator: "`", omittingEmptySubsequences: false) }
            // Every second part of a cell is between backticks.
            let names = cells.map { cell in cell.indices.filter { $0 % 2 == 1 }.map { String(cell[$0]) } }
            guard names.count == 4, let file = names[0].first, file.hasSuffix(".swift"), let function = names[1].first
            else { return nil }
            (self.file, self.function, calls) = (file, function, names[3])
        }

        /// A pattern that begins at a word. Of `self.run`, `run` is one.
        static func word(_ pattern: String) throws -> Regex<AnyRegexOutput> {
            try Regex(#"\b"# + pattern).wordBoundaryKind(.simple)
        }

        /// The bodies of the functions of that name in the file.
        var bodies: [Substring] {
            get throws { try bodies(of: function == "init" ? #"init\("# : #"func \#(function)\b"#) }
        }

        /// All that the file's functions call, by their names.
        var calledByFunctions: [(function: String, calls: Set<String>)] {
            get throws {
                try bodies(of: "func (?=\\w)").map { body in
                    let names = body.matches(of: /(\w+)\(/).map { String($0.output.1) }
                    return (names.first ?? "", Set(names.dropFirst()))
                }
            }
        }

        func bodies(of declaration: String) throws -> [Substring] {
            let text = try Checkout.text("Sources/" + file)
            return text.ranges(of: try Self.word(declaration)).map { range in
                let rest = text[range.upperBound...]
                let end = rest.firstRange(of: /\n *(?:\/\/\/|@|(?:\w+ )*func )/)?.lowerBound
                return rest[..<(end ?? rest.endIndex)]
            }
        }
    }

    static func steps() throws -> [Step] {
        let text = try Checkout.text("docs/architecture.md")
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("The path of one event") } ?? ""
        return section.components(separatedBy: "\n").compactMap(Step.init)
    }

    @Test func `the path leads from libmicrohttpd's call to the response in at most fifteen steps`() throws {
        let steps = try Self.steps()
        #expect(steps.first?.file == "MicroHTTP/Connection.swift")
        #expect(steps.last?.calls == ["CMicroHTTPD_respond"])
        #expect(steps.count <= 15)
    }

    @Test(arguments: try steps())
    func `a function calls what the description names, in that order`(step: Step) throws {
        let bodies = try step.bodies
        try #require(!bodies.isEmpty, "the file does not declare the function")
        let matches = try bodies.contains { body in
            var rest = body
            for call in step.calls {
                guard let range = rest.firstRange(of: try Step.word(#"\#(call)\("#)) else { return false }
                rest = rest[range.upperBound...]
            }
            return true
        }
        #expect(matches, "\(bodies)")
    }

    @Test func `each function of the description is called by an earlier one, perhaps through another`() throws {
        let steps = try Self.steps()
        let functions = try steps.flatMap { try $0.calledByFunctions }
        var called: Set<String> = ["handle"]
        for step in steps {
            for _ in functions {
                for function in functions where called.contains(function.function) { called.formUnion(function.calls) }
            }
            // Handlers and screens are called through closures and protocols of other names.
            let isIndirect = ["checkLogin", "show"].contains(step.function)
            #expect(
                isIndirect || called.contains(step.function == "init" ? step.type : step.function),
                "\(step.testDescription)"
            )
        }
    }
}
