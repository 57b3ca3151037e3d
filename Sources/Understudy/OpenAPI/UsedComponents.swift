import BusinessLogic

extension Value {
    /// The components of a document without those to which neither the paths nor another used component refers.
    func withoutUnusedComponents(in paths: Value) -> Value {
        var used: Set<String> = []
        var open = [paths]
        while let value = open.popLast() {
            for reference in value.references where used.insert(reference).inserted {
                open.append(component(reference))
            }
        }
        var kinds: Value.Object = [:]
        for (kind, components) in object ?? [:] {
            guard kind != "securitySchemes", let components = components.object else {
                kinds[kind] = components
                continue
            }
            var kept: Value.Object = [:]
            for (name, component) in components where used.contains("#/components/\(kind)/\(name)") {
                kept[name] = component
            }
            if !kept.isEmpty { kinds[kind] = .object(kept) }
        }
        return .object(kinds)
    }

    private func component(_ reference: String) -> Value {
        let path = reference.split(separator: "/").dropFirst(2)
        return path.reduce(self) { $0.object?[String($1)] ?? .null }
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
