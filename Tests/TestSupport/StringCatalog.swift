/// A String Catalog with the localizations of each key.
package func catalog(_ strings: Value.Object) -> [UInt8] {
    var entries: Value.Object = [:]
    for (key, localizations) in strings { entries[key] = ["localizations": localizations] }
    let catalog: Value = ["sourceLanguage": "en", "strings": .object(entries), "version": "1.0"]
    return catalog.json
}

/// A text of a String Catalog.
package func unit(_ text: String) -> Value { ["stringUnit": ["state": "translated", "value": .string(text)]] }
