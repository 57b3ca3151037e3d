public import BundledControllers

extension FixedCredentials {
    /// The credentials of the demonstration: the user batman with the password bruce.
    public static var demo: FixedCredentials { demo(others: nil) }

    /// The same, with the users of another source.
    public static func demo(others: (any CredentialChecking)?) -> FixedCredentials {
        FixedCredentials(["batman": "bruce"], others: others)
    }
}
