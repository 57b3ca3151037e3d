import BusinessLogic

/// Makes values of a form's texts: `lines.0.product=tea` is a member of a list's first element, and a repeated name is a list of texts.
///
/// A text that is not a valid value of its field's type stays as it is, and is rejected later with the other faults.
struct FormValues {
    /// Either texts, or what the value consists of.
    private final class Node {
        var texts: [String] = []
        private(set) var children: [(name: String, node: Node)] = []
        private var positions: [[UInt8]: Int] = [:]

        /// Adds the part if its name is new.
        func child(_ name: String) -> Node {
            let key = Array(name.utf8)
            if let position = positions[key] { return children[position].node }
            let node = Node()
            positions[key] = children.count
            children.append((name, node))
            return node
        }

        /// `nil` if the indices are not 0, 1, 2 without a gap.
        var elements: [Node]? {
            var elements: [Node] = []
            for index in children.indices {
                guard let position = positions[Array(String(index).utf8)] else { return nil }
                elements.append(children[position].node)
            }
            return elements
        }
    }

    let page: Page

    /// The values of the page's fields, and the texts of names that are no field's. A name that occurs more than once has an array of texts.
    func values(of texts: Value.Object, for declaration: EventDeclaration) throws(Problem) -> Value.Object {
        let root = Node()
        var values: Value.Object = [:]
        for (name, text) in texts {
            guard let path = path(of: name) else {
                values.append(name, text)
                continue
            }
            var node = root
            for part in path { node = node.child(part) }
            node.texts += text.array?.compactMap(\.string) ?? text.string.map { [$0] } ?? []
        }
        for (name, node) in root.children {
            guard let field = page.field(name) else { continue }
            let declared = declaration.field(name) ?? field
            let pointer = "/" + name.pointerToken
            values.append(name, try value(of: node, declared.schema, whenAbsent: declared.whenAbsent, at: pointer))
        }
        return values
    }

    /// `nil` if the name names no field.
    private func path(of name: String) -> [String]? {
        if page.field(name) != nil { return [name] }
        let bytes = name.utf8
        guard let end = bytes.firstIndex(of: UInt8(ascii: ".")), let field = page.field(String(name[..<end])),
            !field.schema.isScalar
        else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= Value.maximumLevels ? parts.map { String(Substring($0)) } : nil
    }

    private func value(
        of node: Node,
        _ schema: ValueSchema,
        whenAbsent: Value?,
        at pointer: String
    ) throws(Problem) -> Value {
        let name = pointer.dropFirst().replacing("/", with: ".")
        // An empty text is what a form contains for a list or an object that is empty.
        if !node.children.isEmpty, schema.isScalar || !node.texts.allSatisfy(\.isEmpty) {
            throw Problem.malformedBody("'\(name)' has a value, so that it cannot have members.", at: pointer)
        }
        switch schema.kind {
        case .array(let element): return try list(of: node, element, at: pointer)
        case .object(let members):
            if node.children.isEmpty {
                if schema.isOptional, node.texts.allSatisfy(\.isEmpty) { return .null }
                if let text = node.texts.first, !text.isEmpty { return .string(text) }
            }
            return try object(of: node, members, at: pointer)
        case .string, .number, .integer, .boolean, .choice, .any:
            guard let text = node.texts.first, node.texts.count == 1 else {
                throw Problem.malformedBody("The field '\(name)' occurs twice.", at: pointer)
            }
            if text.isEmpty, !schema.accepts("") {
                // What browsers send for an empty input of a number or a date.
                if schema.isOptional { return .null }
                if let whenAbsent { return whenAbsent }
            }
            return schema.value(ofText: text) ?? .string(text)
        }
    }

    private func list(of node: Node, _ element: ValueSchema, at pointer: String) throws(Problem) -> Value {
        guard let elements = node.elements else {
            throw .malformedBody("The elements of a list have the indices 0, 1, 2 without gaps.", at: pointer)
        }
        var values: [Value] = []
        if elements.isEmpty {
            // An empty text is an empty list, which a form could not send otherwise.
            if node.texts == [""] { return .array([]) }
            if !element.isScalar { return .string(node.texts.first ?? "") }
            values = node.texts.map { element.value(ofText: $0) ?? .string($0) }
        } else {
            for (index, node) in elements.enumerated() {
                values.append(try value(of: node, element, whenAbsent: nil, at: "\(pointer)/\(index)"))
            }
        }
        return .array(values)
    }

    private func object(of node: Node, _ members: [FieldDeclaration], at pointer: String) throws(Problem) -> Value {
        var object: Value.Object = [:]
        for (name, child) in node.children {
            let member = members.first { $0.name.hasSameBytes(as: name) }
            let path = "\(pointer)/\(name.pointerToken)"
            object[name] =
                if let member {
                    try value(of: child, member.schema, whenAbsent: member.whenAbsent, at: path)
                } else {
                    child.texts.first.map(Value.string) ?? .null
                }
        }
        // A browser does not send a check box that is not ticked.
        for member in members where member.whenAbsent == false && !object.contains(member.name) {
            object[member.name] = false
        }
        return .object(object)
    }
}

extension EventDeclaration {
    func field(_ name: String) -> FieldDeclaration? { reads.first { $0.name.hasSameBytes(as: name) } }
}
