/// A text of a catalog that names a page, a field, an event or a choice.
package struct Label: Equatable, Sendable {
    /// The most specific key first. The first one with a text counts.
    package let keys: [String]
    /// The text without a catalog.
    package var fallback: String { isIdentifier ? name.readable : name }
    private let name: String
    private let isIdentifier: Bool

    private init(keys: [String], _ name: String, isIdentifier: Bool = true) {
        self.keys = keys
        self.name = name
        self.isIdentifier = isIdentifier
    }

    static func page(_ name: String) -> Label { Label(keys: ["page.\(name)"], name) }

    /// The button of an event: `order` for `orderButtonPressed`.
    static func event(_ name: String) -> Label {
        let ending = "ButtonPressed"
        let verb = name.hasSuffix(ending) && name != ending ? String(name.dropLast(ending.count)) : name
        return Label(keys: ["event.\(name)"], verb)
    }

    /// A field or an output, or a member. The path has the name of the field, and those of the members.
    static func field(_ path: [String]) -> Label { Label(keys: names(path).map { "label.\($0)" }, path.last ?? "") }

    /// The value is that of a choice, or `true` or `false`.
    static func choice(_ value: String, of path: [String]) -> Label {
        let keys = names(path).map { "choice.\($0).\(value)" } + ["choice.\(value)"]
        return Label(keys: keys, value, isIdentifier: false)
    }

    private static func names(_ path: [String]) -> [String] {
        [path.joined(separator: ".")] + (path.count > 1 ? path.suffix(1) : [])
    }
}

extension Labels.Language {
    subscript(label: Label) -> String { label.keys.lazy.compactMap { self[$0] }.first ?? label.fallback }
}

extension String {
    /// An identifier as a person reads it: `User ID` for `userID`.
    var readable: String {
        var words: [String] = []
        var isInWord = false
        for (index, character) in zip(indices, self) {
            guard character.isLetter || character.isNumber else {
                isInWord = false
                continue
            }
            let previous = index == startIndex ? nil : self[self.index(before: index)]
            let following = self.index(after: index) == endIndex ? nil : self[self.index(after: index)]
            // A capital begins a word, unless it is in an acronym.
            let isStart = character.isUppercase && (previous?.isUppercase != true || following?.isLowercase == true)
            if isInWord, !isStart { words[words.count - 1].append(character) } else { words.append("\(character)") }
            isInWord = true
        }
        let text = words.enumerated().map { index, word in
            let isAcronym = word.count > 1 && word.allSatisfy { $0.isUppercase || $0.isNumber }
            if isAcronym { return word }
            return index == 0 ? word.prefix(1).uppercased() + word.dropFirst() : word.lowercased()
        }
        return text.isEmpty ? self : text.joined(separator: " ")
    }
}
