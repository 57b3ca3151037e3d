import BusinessLogic

extension Value? {
    /// None if the value is of another type.
    var elements: [Value] { self?.array ?? [] }

    /// None if the value is of another type.
    var members: Value.Object { self?.object ?? [:] }
}
