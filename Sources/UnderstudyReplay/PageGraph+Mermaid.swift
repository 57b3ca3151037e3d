import Understudy

extension PageGraph {
    /// The graph as a Mermaid state diagram, which GitHub and GitLab show in Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2", "    direction LR"]
        for (index, state) in states.enumerated() {
            let text = (["\(index)"] + self.lines(of: state)).map(Self.mermaidText).joined(separator: "<br/>")
            lines.append("    state \"\(text)\" as s\(index)")
        }
        if isCut { lines.append("    state \"…\" as more") }
        lines.append("    [*] --> s0")
        for transition in transitions {
            let target = transition.target.map { "s\($0)" } ?? "more"
            lines.append("    s\(transition.source) --> \(target) : \(Self.mermaidText(transition.label))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text with all special characters as numeric codes.
    private static func mermaidText(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || " _.,=/@+'()-".unicodeScalars.contains(scalar) ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}
