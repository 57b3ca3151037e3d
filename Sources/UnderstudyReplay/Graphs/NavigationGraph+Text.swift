import BusinessLogic

/// The texts of a navigation graph, for all formats.
extension NavigationGraph.Node {
    /// The name, and what the node is unless it is a page.
    var lines: [String] {
        switch kind {
        case .page: [name]
        case .client: [name, "screen of the client"]
        case .unserved: [name, "not served"]
        }
    }
}

extension NavigationGraph.Edge {
    /// The command, if it says more than the name of the page.
    var effects: [String] {
        let isPlain = destination.name == destination.page && destination.fields.isEmpty
        return isPlain ? [] : ["\(CommandDeclaration.Content.goToPage(destination))"]
    }

    /// The event; after a slash the command, if it says more than the name of the page.
    var label: String { ([event.name] + effects).joined(separator: " / ") }
}
