/// Why a String Catalog cannot be used.
public enum TranslationsError: Error, Equatable, Sendable {
    /// The file is not JSON: the reason, and the number of bytes before the error.
    case malformedJSON(String, offset: Int)
    /// The JSON is not a String Catalog: what is wrong, and the key if the error is in a key.
    case malformedCatalog(String, key: String?)
    /// A key has a text in a language that is not a valid language tag.
    case invalidLanguage(String, key: String)
    /// A text contains a placeholder that is not `%@`, `%1$@`, `%lld`, `%1$lld`, `%.2f`, `%1$.2f` or `%%`.
    case unsupportedPlaceholder(String, key: String, language: String)
    /// A text varies by something other than the plural forms *one* and *other*: `few`, `device`, `substitutions`.
    case unsupportedVariation(String, key: String, language: String)
}

extension TranslationsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedJSON(let reason, let offset): "The catalog is not JSON: \(reason) (at byte \(offset))."
        case .malformedCatalog(let reason, let key):
            "The file is not a String Catalog: \(reason)\(key.map { " (key '\($0)')" } ?? "")."
        case .invalidLanguage(let language, let key):
            "The key '\(key)' has a text in the language '\(language)', which is not a valid language tag such as 'de' or 'de-AT'."
        case .unsupportedPlaceholder(let placeholder, let key, let language):
            "The text of '\(key)' in the language '\(language)' contains '\(placeholder)', which is not supported: "
                + "use %@ or %1$@ for a parameter, %lld or %1$lld for an integer, %.2f or %1$.2f for a number with decimals, "
                + "and %% for a percent sign."
        case .unsupportedVariation(let variation, let key, let language):
            "The text of '\(key)' in the language '\(language)' has the variation '\(variation)', which is not supported: "
                + "only the plural variations 'one' and 'other' are, and 'other' is required."
        }
    }
}
