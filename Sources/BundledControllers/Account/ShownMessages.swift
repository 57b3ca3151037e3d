import BusinessLogic

/// The keys of the outputs of a page that show why something is rejected: sorted, and no set, so that equal states are equal in JSON.
extension [String] {
    /// Notes the message that an output shows; `nil` if it shows none.
    ///
    /// - Returns: whether the screen needs to show or remove a message.
    mutating func note(_ message: Message?, in output: Output<Message?>) -> Bool {
        let wasShown = contains(output.key)
        if message == nil { removeAll { $0 == output.key } }
        if message != nil, !wasShown { self = (self + [output.key]).sorted() }
        return message != nil || wasShown
    }
}
