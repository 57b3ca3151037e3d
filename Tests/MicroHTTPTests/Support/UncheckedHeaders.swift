extension Headers {
    /// Header fields as a request may contain them, with names that are not tokens.
    init(unchecked fields: KeyValuePairs<String, String>) {
        self.init()
        for (name, value) in fields { append(name: name.bytes, value: value.bytes) }
    }
}
