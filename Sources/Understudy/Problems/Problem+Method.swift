import MicroHTTP

extension Problem {
    /// - Parameter allowed: the methods that are answered; HEAD is among them where GET is.
    init(methodNotAllowed method: Method, allowed: [Method]) {
        self.init(.methodNotAllowed, "\(method) is not answered here. Allowed: \(allowed.text).", allow: allowed)
    }
}
