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
        /// The smallest number of events that lead to it from the first page. A page to which no path leads from there has the depth
        /// 0, in the order of the pages, and the depths of others are counted from it.
        public fileprivate(set) var depth = 0
    }

    /// An event that may go from a page to a destination.
    public struct Edge: Equatable, Sendable {
        /// The index in ``NavigationGraph/nodes`` of the event's page.
        public let source: Int
        /// The event.
        public let event: Event
        /// The destination, with the values that it receives.
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
        setDepths()
    }

    /// The index of a destination's node, which it adds if the graph lacks it.
    private mutating func index(of destination: DestinationDeclaration) -> Int {
        let kinds: [Node.Kind] = destination.page == nil ? [.client] : [.page, .unserved]
        let name = destination.page ?? destination.name
        if let index = nodes.firstIndex(where: { $0.name == name && kinds.contains($0.kind) }) { return index }
        nodes.append(Node(name: name, kind: destination.page == nil ? .client : .unserved))
        return nodes.count - 1
    }

    /// Searches breadth first, from the first page and from each page that the search has not found yet.
    private mutating func setDepths() {
        var found: Set<Int> = []
        for start in nodes.indices where !found.contains(start) {
            found.insert(start)
            var queue = [start]
            while !queue.isEmpty {
                let source = queue.removeFirst()
                for edge in edges where edge.source == source && found.insert(edge.target).inserted {
                    nodes[edge.target].depth = nodes[source].depth + 1
                    queue.append(edge.target)
                }
            }
        }
    }
}
