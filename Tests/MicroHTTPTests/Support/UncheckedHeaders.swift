import TestSupport

@testable import MicroHTTP

extension Headers {
    /// Header fields as a request may contain them, with names that are not tokens.
    init(unchecked fields: KeyValuePairs<String, String>) {
        self.init()
        for (name, value) in fields { append(name: Array(name.utf8), value: Array(value.utf8)) }
    }
}
