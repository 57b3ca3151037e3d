public import UnderstudyPages

extension Translations {
    /// The German texts of the bundled pages' messages, of the messages of password policies, and of the service's own messages.
    public static let bundled = Translations(bundled: PackageResources.Localizable_xcstrings).completed
}
