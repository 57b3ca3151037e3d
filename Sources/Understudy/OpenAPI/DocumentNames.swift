import BusinessLogic
import UnderstudyPages

/// The names of a document's operations and schemas: valid identifiers in every language, each used once.
///
/// Code generators make a function of each operation and a type of each schema. Two names are also different in lower case, because
/// generators write each type to a file.
struct DocumentNames {
    /// The names of each page, in the order of the pages.
    let pages: [Page]
    /// The schemas of the Swift types that fields and outputs contain, by name.
    let types: Types

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
        fileprivate let types: Types

        fileprivate init(_ base: String, _ types: Types) {
            self.types = types
            send = "send\(base)"
            show = "show\(base)"
            event = "\(base)Event"
            response = "\(base)Response"
            screen = "\(base)Screen"
            rendered = "\(base)Rendered"
        }

        fileprivate var all: [String] { [send, show, event, response, screen, rendered] }

        /// A reference to the schema of a Swift type that has a name.
        func reference(_ schema: ValueSchema) -> Value.Object? { types.reference(schema) }
    }

    /// The Swift types with a name: each is one schema, however many pages use it.
    struct Types {
        fileprivate var all: [(name: String, schema: ValueSchema, direction: ValueSchema.Direction)] = []
        private var positions: [ObjectIdentifier: Int] = [:]

        /// The schemas by name.
        var schemas: Value.Object {
            var schemas: Value.Object = [:]
            for (name, schema, direction) in all {
                var value = schema.documented(direction) {
                    $0.typeIdentifier == schema.typeIdentifier ? nil : reference($0)
                }
                if direction != .input, schema.jsonType == .object { value["additionalProperties"] = true }
                value["description"] = .string(direction.description)
                schemas[name] = .object(value)
            }
            return schemas
        }

        fileprivate func reference(_ schema: ValueSchema) -> Value.Object? {
            schema.typeIdentifier.flatMap { positions[$0] }.map {
                ["$ref": .string("#/components/schemas/\(all[$0].name)")]
            }
        }

        /// Adds the type of a schema, and those of which it consists.
        fileprivate mutating func add(
            _ schema: ValueSchema,
            _ direction: ValueSchema.Direction,
            _ name: (String) -> String
        ) {
            if let identifier = schema.typeIdentifier, let typeName = schema.typeName {
                if let known = positions[identifier] {
                    if all[known].direction != direction { all[known].direction = .both }
                } else {
                    positions[identifier] = all.count
                    all.append((name(typeName), schema.required, direction))
                }
            }
            switch schema.kind {
            case .array(let element): add(element, direction, name)
            case .object(let members): for member in members { add(member.schema, direction, name) }
            default: break
            }
        }
    }

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

        var types = Types()
        func name(of type: String) -> String {
            let base = Self.typeName(type, "Type")
            return Self.first(of: [base, "\(base)Value"]) {
                $0
            } where: {
                take([$0])
            }
        }
        for page in pages {
            for field in page.fields { types.add(field.schema, .input, name) }
            for output in page.outputs { types.add(output.schema, .output, name) }
        }
        self.types = types
        var chosen: [Page] = []
        for page in pages {
            let base = Self.typeName(page.name, "Page")
            chosen.append(
                Self.first(of: [base, "\(base)Page"]) {
                    Page($0, types)
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

extension ValueSchema.Direction {
    fileprivate var description: String {
        switch self {
        case .input: "A value that events read."
        case .output: "A value that events show."
        case .both: "A value that events read and show."
        }
    }
}
