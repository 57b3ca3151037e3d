import BusinessLogic
import UnderstudyPages

/// The names of a document's operations and schemas: valid identifiers in every language, each used once.
///
/// Code generators make a function of each operation and a type of each schema. Two names are also different in lower case, because
/// generators write each type to a file.
struct DocumentNames {
    /// The names of each page, in the order of the pages.
    let pages: [Page]

    /// The names for a page.
    struct Page {
        /// The operation of `POST /PAGE`.
        let send: String
        /// The operation of `GET /PAGE`.
        let show: String
        /// The schema of a request with any event of the page.
        let event: String
        /// The schema of the response to an event.
        let response: String
        /// The schema of what `GET /PAGE` returns.
        let screen: String
        /// The schema of what the page has rendered, by key.
        let rendered: String
        /// The schemas of each event, in the order of the page's events.
        fileprivate(set) var events: [Event] = []
        /// The schemas of the objects that the page renders, by their paths.
        fileprivate(set) var objects: [ObjectPath: String] = [:]

        fileprivate init(_ base: String) {
            send = "send\(base)"
            show = "show\(base)"
            event = "\(base)Event"
            response = "\(base)Response"
            screen = "\(base)Screen"
            rendered = "\(base)Rendered"
        }

        fileprivate var all: [String] { [send, show, event, response, screen, rendered] }
    }

    /// Where an object is in what a page renders: the output's key, and the members on the way to the object. An array's element is the
    /// member `nil`.
    typealias ObjectPath = [String?]

    /// The names for an event.
    struct Event {
        /// The schema of a request.
        let request: String
        /// The schema of the request's values.
        var values: String { "\(request)Values" }
    }

    /// Chooses the names.
    ///
    /// - Parameters:
    ///   - pages: the pages.
    ///   - used: names that are already used.
    init(_ pages: [UnderstudyPages.Page], used: some Sequence<String>) {
        var used = Set(used.map { $0.lowercased() })
        func take(_ names: [String]) -> Bool {
            let names = names.map { $0.lowercased() }
            guard used.isDisjoint(with: names) else { return false }
            used.formUnion(names)
            return true
        }

        var chosen: [Page] = []
        for page in pages {
            let base = Self.typeName(page.name, "Page")
            chosen.append(
                Self.first(of: [base, "\(base)Page"]) {
                    Page($0)
                } where: {
                    take($0.all)
                }
            )
        }
        let bases = pages.map { page in page.events.map { Self.typeName($0.event.name, "Event") } }
        var counts: [String: Int] = [:]
        for base in bases.joined() { counts[base.lowercased(), default: 0] += 1 }
        for (page, bases) in bases.enumerated() {
            let prefix = chosen[page].response.dropLast("Response".count)
            chosen[page].events = bases.map { base in
                let isShared = counts[base.lowercased(), default: 0] > 1
                let long = "\(prefix)\(base)"
                return Self.first(of: isShared ? [long] : [base, long]) {
                    Event(request: $0)
                } where: {
                    take([$0.request, $0.values])
                }
            }
        }
        for (index, page) in pages.enumerated() {
            for path in page.outputs.flatMap({ $0.type.objectPaths(below: [$0.key]) })
            where chosen[index].objects[path] == nil {
                let words = path.enumerated().map { position, name in
                    name.map { Self.typeName($0, position == 0 ? "Key" : "Member") } ?? "Item"
                }
                chosen[index].objects[path] = Self.first(of: [chosen[index].rendered + words.joined()]) {
                    $0
                } where: {
                    take([$0])
                }
            }
        }
        self.pages = chosen
    }

    /// The first of the names that can be used. If none can be used, the last one with a number.
    private static func first<Names>(
        of candidates: [String],
        _ make: (String) -> Names,
        where isFree: (Names) -> Bool
    ) -> Names {
        for candidate in candidates {
            let names = make(candidate)
            if isFree(names) { return names }
        }
        var number = 2
        while true {
            let names = make("\(candidates[candidates.count - 1])\(number)")
            if isFree(names) { return names }
            number += 1
        }
    }

    /// The text as the name of a type: `LoginButtonPressed` for `loginButtonPressed`, `GiftCard` for `gift-card`.
    ///
    /// - Parameter noun: begins the name if the text begins with no letter.
    static func typeName(_ text: String, _ noun: String) -> String {
        let words = text.utf8.split { !$0.isASCIIAlphanumeric }
        let name = words.map { word in
            let characters = word.map { Character(UnicodeScalar($0)) }
            return characters.prefix(1).map { $0.uppercased() }.joined() + String(characters.dropFirst())
        }.joined()
        return name.first?.isLetter == true ? name : noun + name
    }
}

extension OutputType {
    /// The paths of all objects in values of this type.
    fileprivate func objectPaths(below path: DocumentNames.ObjectPath) -> [DocumentNames.ObjectPath] {
        switch self {
        case .string, .number, .integer, .boolean, .any: []
        case .optional(let wrapped): wrapped.objectPaths(below: path)
        case .array(let element): element.objectPaths(below: path + [nil])
        case .object(let members): [path] + members.flatMap { $0.type.objectPaths(below: path + [$0.name]) }
        }
    }
}
