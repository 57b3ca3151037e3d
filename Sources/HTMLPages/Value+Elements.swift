import BusinessLogic

extension Value? {
    /// The elements of an array; none of any other value.
    var elements: [Value] { self?.array ?? [] }

    /// The members of an object; none of any other value.
    var members: Value.Object { self?.object ?? [:] }
}
