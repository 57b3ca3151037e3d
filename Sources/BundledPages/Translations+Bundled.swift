public import UnderstudyPages

extension Translations {
    /// The German texts of the bundled pages' messages, of the messages of password policies, and of the problems' titles.
    public static let bundled: Translations = {
        do {
            return try Translations(catalog: PackageResources.Localizable_xcstrings)
        } catch {
            preconditionFailure("Localizable.xcstrings: \(error)")
        }
    }()
}
