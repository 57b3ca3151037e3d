/// A part of a YAML document.
package indirect enum YAMLNode: Equatable, Sendable {
    /// A text. `isPlain` if it has no quotes, and so may mean a number, a truth value or null.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// The members in the order of the document. Each name is there once.
    case mapping([Member])

    /// A member of a mapping.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let node: YAMLNode
    }
}
