package import HTTPMessages

extension Problem {
    /// - Parameter allowed: the methods that are allowed, including HEAD if GET is.
    package init(methodNotAllowed method: Method, allowed: [Method]) {
        self.init(.methodNotAllowed, "\(method) is not allowed here. Allowed: \(allowed.text).", allow: allowed)
    }
}
