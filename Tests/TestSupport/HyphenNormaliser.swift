/// Removes hyphens as well.
package struct HyphenNormaliser: InputNormalising {
    package init() {}

    package func normalise(_ input: String?) -> String { InputNormaliser().normalise(input).filter { $0 != "-" } }
}
