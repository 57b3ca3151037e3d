extension FieldDeclaration {
    /// Whether the value is valid.
    package func accepts(_ value: Value) -> Bool {
        var faults = FieldFaults()
        check(value, &faults)
        return faults.isEmpty
    }
}
