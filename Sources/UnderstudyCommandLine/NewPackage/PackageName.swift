import Understudy

/// The name of a new package, of its module and, in lower case, of its page.
struct PackageName: Equatable {
    static let parser = TextParser(
        """
        a name of at most 64 ASCII letters, digits and _, which begins with a letter and is neither a word of Swift nor the name of a \
        module that the package uses
        """
    ) { PackageName($0) }

    /// The module's name.
    let module: String
    /// The page's name.
    var page: String { module.lowercased() }
    /// The start of the names of types.
    var type: String { module.prefix(1).uppercased() + module.dropFirst() }

    init?(_ text: String) {
        let isIdentifier = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isIdentifier, text.utf8.count <= 64, let first = text.first, first.isLetter else { return nil }
        let name = text.lowercased()
        guard !Self.words.contains(name), !Self.modules.contains(name), !Page.reservedNames.contains(name) else {
            return nil
        }
        module = text
    }

    /// The reserved words of Swift, in lower case.
    private static let words: Set<String> = [
        "any", "as", "associatedtype", "await", "async", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "type", "typealias", "var", "where", "while",
    ]

    /// The modules, in lower case, that the package or its tests import or link, and the types that its files use.
    private static let modules: Set<String> = [
        "accounts", "accountssqlite", "addresses", "argumentparser", "bundledcontrollers", "bundledpages",
        "businesslogic", "cbuild", "cmicrohttpd", "coremetrics", "csodium", "customdump", "dispatch", "event",
        "eventtable", "field", "foundation", "foundationessentials", "glibc", "issuereporting", "logging",
        "message", "metrics", "microhttp", "output", "page", "prometheus", "ratelimiting", "rehearsal",
        "servicelifecycle", "swift", "test", "testing", "understudy", "understudyclient", "understudycommand",
        "understudycommandline", "understudyreplay", "understudytesting", "unixsignals", "value", "xctest", "yaml",
    ]
}
