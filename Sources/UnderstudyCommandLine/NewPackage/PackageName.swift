import Understudy

/// The name of a new package, of its module and, in lower case, of its page.
struct PackageName: Equatable {
    static let parser = TextParser(
        """
        a name of at most 64 ASCII letters, digits and _, which begins with a letter and is neither a word of Swift nor the name of a \
        module that the package uses
        """
    ) { PackageName($0) }

    let module: String
    var page: String { module.lowercased() }
    /// The start of the names of types.
    var type: String { module.prefix(1).uppercased() + module.dropFirst() }

    init?(_ text: String) {
        guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,63}/) != nil,
            !Self.reserved.union(Page.reservedNames).contains(text.lowercased())
        else { return nil }
        module = text
    }

    /// In lower case, the reserved words of Swift, the modules that the package or its tests import or link, and the types that its files use.
    private static let reserved = Set(
        String(decoding: PackageResources.reserved_txt, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(
            String.init
        )
    )
}
