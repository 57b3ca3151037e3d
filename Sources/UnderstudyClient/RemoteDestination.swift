public import BusinessLogic
internal import Foundation

/// Where an event of a page on a service went.
public struct RemoteDestination: Equatable, Sendable {
    /// The name that ``/BusinessLogic/Controllable/goToPage(_:_:)`` receives.
    public let name: String
    /// The values that it receives. They are those of the fields that the page's default event reads.
    public let values: Value.Object
    /// The path of the page on the service, with the service's path prefix; `nil` if the destination is a screen of the app.
    public let href: String?

    /// The name of the page, for ``RemoteEventable/init(_:in:)``; `nil` if the destination is a screen of the app.
    public var page: String? {
        href?.split(separator: "/").last.map { $0.removingPercentEncoding ?? String($0) }
    }
}

extension RemoteDestination {
    /// The destination of a command; `nil` if it goes to no page.
    init?(_ received: CommandResponse.Entry) {
        guard case .goToPage(let name, let values) = received.command else { return nil }
        self.init(name: name, values: values, href: received.href)
    }
}
