public import BusinessLogic
public import UnderstudyPages

/// An application's navigation graph: its pages, and the events that lead from one page to another.
///
/// It contains the destinations that the event tables declare, and runs no event.
///
/// ```swift
/// print(NavigationGraph(of: pages).mermaid)
/// ```
public struct NavigationGraph: Equatable, Sendable {
    /// A page, or another destination.
    public struct Node: Equatable, Sendable {
        /// What a destination leads to.
        public enum Kind: Equatable, Sendable {
            /// A page of the application.
            case page
            /// A screen of the client without a controller, declared with
            /// ``/BusinessLogic/Destination/ofClient(_:_:)``.
            case client
            /// A page that the application does not contain. An event that goes there leads to a dead end.
            case unserved
        }

        /// The name of the page or of the client's screen.
        public let name: String
        /// What it is.
        public let kind: Kind
    }

    /// An event that may go from a page to a destination.
    public struct Edge: Equatable, Sendable {
        /// The index in ``NavigationGraph/nodes`` of the event's page.
        public let source: Int
        /// The event.
        public let event: Event
        package let destination: DestinationDeclaration
        /// The index in ``NavigationGraph/nodes`` of what the event leads to.
        public let target: Int
    }

    /// The pages in their order, followed by the other destinations in the order of the events that go there.
    public private(set) var nodes: [Node]
    /// The edges, ordered by their pages and by the declaration of their events.
    public private(set) var edges: [Edge] = []

    /// The nodes that no page serves, although an event goes there.
    public var unserved: [Node] { nodes.filter { $0.kind == .unserved } }

    /// Collects the destinations of pages.
    ///
    /// - Parameter pages: all pages of the application, beginning with the one on which users start.
    public init(of pages: [Page]) {
        nodes = pages.map { Node(name: $0.name, kind: .page) }
        for (source, page) in pages.enumerated() {
            for declaration in page.declarations {
                for case .goToPage(let destination) in declaration.gives {
                    let target = index(of: destination)
                    let edge = Edge(source: source, event: declaration.event, destination: destination, target: target)
                    if !edges.contains(edge) { edges.append(edge) }
                }
            }
        }
    }

    /// Adds a node if the graph lacks it.
    private mutating func index(of destination: DestinationDeclaration) -> Int {
        let kinds: [Node.Kind] = destination.page == nil ? [.client] : [.page, .unserved]
        let name = destination.page ?? destination.name
        if let index = nodes.firstIndex(where: { $0.name == name && kinds.contains($0.kind) }) { return index }
        nodes.append(Node(name: name, kind: destination.page == nil ? .client : .unserved))
        return nodes.count - 1
    }
}
