import ArgumentParser

/// A limit, or `off` for none.
struct OrOff<Limit: ExpressibleByArgument & CustomStringConvertible & Sendable>: ExpressibleByArgument,
    CustomStringConvertible
{
    /// The limit; `nil` where it is off.
    let limit: Limit?
    var description: String { limit?.description ?? "off" }

    init(_ limit: Limit?) {
        self.limit = limit
    }

    init?(argument: String) {
        if argument.lowercased() == "off" {
            limit = nil
        } else if let limit = Limit(argument: argument) {
            self.limit = limit
        } else {
            return nil
        }
    }
}
