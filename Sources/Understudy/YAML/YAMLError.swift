/// Why a text is not a YAML document.
package struct YAMLError: Error, Equatable, CustomStringConvertible {
    /// From 1; 0 if the text is not UTF-8.
    package let line: Int
    /// From 1, in code points.
    package let column: Int
    /// Contains nothing of the text except the names that a mapping repeats.
    package let problem: String

    package var description: String { line > 0 ? "line \(line), column \(column): \(problem)" : problem }
}
