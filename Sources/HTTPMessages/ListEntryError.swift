/// An entry in the comma-separated list of a setting is invalid.
public struct ListEntryError: Error, Equatable, CustomStringConvertible {
    /// The invalid entry, without the spaces around it.
    public let entry: String
    /// What is wrong and what is valid, as the end of a sentence.
    private let explanation: String

    public var description: String { "'\(entry)' is \(explanation)" }

    package init(_ entry: String, is explanation: String) {
        self.entry = entry
        self.explanation = explanation
    }
}

extension String {
    /// The entries of a comma-separated list, without the spaces and tabs around them. An empty list has one empty entry.
    package var listEntries: [String] {
        Array(utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: $0.trimmed, as: UTF8.self) }
    }
}
