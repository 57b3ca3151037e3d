import BusinessLogic

extension Value {
    /// The components of a document without those to which neither the paths nor another used component refers.
    func withoutUnusedComponents(in paths: Value) -> Value {
        var used: Set<String> = []
        var open = [paths]
        while let value = open.popLast() {
            for reference in value.references where used.insert(reference).inserted {
                open.append(reference.split(separator: "/").dropFirst(2).reduce(self) { $0[String($1)] ?? .null })
            }
        }
        var kinds: Value.Object = [:]
        for (kind, components) in object ?? [:] {
            var kept: Value.Object = [:]
            for (name, component) in components.object ?? [:]
            where kind == "securitySchemes" || used.contains("#/components/\(kind)/\(name)") {
                kept[name] = component
            }
            if !kept.isEmpty { kinds[kind] = .object(kept) }
        }
        return .object(kinds)
    }

    private var references: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.references)
        case .object(let members):
            members.flatMap { name, value in
                name == "$ref" ? value.string.map { [$0] } ?? value.references : value.references
            }
        default: []
        }
    }
}
