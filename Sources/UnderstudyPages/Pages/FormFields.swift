package import BusinessLogic

extension Value.Object {
    /// The values as the fields of a form, in which `lines.0.product` is a member of a list's first element. A form has no null.
    package var formFields: [(name: String, text: String)] { flatMap { $0.value.formFields($0.name) } }
}

extension Value {
    fileprivate func formFields(_ name: String) -> [(name: String, text: String)] {
        switch self {
        case .null: []
        case .boolean, .number: [(name, "\(self)")]
        case .string(let text): [(name, text)]
        case .array(let elements) where elements.isEmpty: [(name, "")]
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                element.formFields(element.array == nil && element.object == nil ? name : "\(name).\(index)")
            }
        case .object(let members): members.flatMap { $0.value.formFields("\(name).\($0.name)") }
        }
    }
}
