import BusinessLogic
import UnderstudyPages

/// The names of a document's operations and schemas: valid identifiers in every language, each used once.
///
/// Code generators make a function of each operation and a type of each schema. Two names are also different in lower case, because
/// generators write each type to a file.
struct DocumentNames {
    private(set) var pages: [Page] = []
    private(set) var types = Types()
    /// In lower case.
    private var used: Set<String>

    struct Page {
        fileprivate let base: String
        fileprivate(set) var events: [Event] = []

        var send: String { "send\(base)" }
        var show: String { "show\(base)" }
        /// The schema of a request with any event of the page.
        var event: String { "\(base)Event" }
        var response: String { "\(base)Response" }
        var screen: String { "\(base)Screen" }
        var rendered: String { "\(base)Rendered" }

        fileprivate var all: [String] { [send, show, event, response, screen, rendered] }
    }

    struct Event {
        let request: String
        var values: String { "\(request)Values" }
    }

    /// The Swift types with a name: each is one schema, however many pages use it.
    struct Types {
        fileprivate var all: [(name: String, schema: ValueSchema, direction: ValueSchema.Direction)] = []
        fileprivate var positions: [ObjectIdentifier: Int] = [:]

        var schemas: Value.Object {
            Value.Object(
                all.map { name, schema, direction in
                    var value = schema.jsonSchema(direction) {
                        $0.typeIdentifier == schema.typeIdentifier ? nil : reference($0)
                    }
                    if direction != .input, schema.jsonType == .object { value["additionalProperties"] = true }
                    value["description"] = .string(direction.description)
                    return (name, .object(value))
                }
            )
        }

        func reference(_ schema: ValueSchema) -> Value.Object? {
            schema.typeIdentifier.flatMap { positions[$0] }.map {
                ["$ref": "#/components/schemas/\(all[$0].name)"]
            }
        }
    }

    init(_ pages: [UnderstudyPages.Page], used: some Sequence<String>) {
        self.used = Set(used.map { $0.lowercased() })
        for page in pages {
            for field in page.fields { addType(of: field.schema, .input) }
            for output in page.outputs { addType(of: output.schema, .output) }
        }
        for page in pages {
            let base = Self.typeName(page.name, "Page")
            self.pages.append(Page(base: choose([base, "\(base)Page"]) { Page(base: $0).all }))
        }
        let bases = pages.map { page in page.events.map { Self.typeName($0.event.name, "Event") } }
        let counts = Dictionary(bases.joined().map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        for (page, bases) in bases.enumerated() {
            for base in bases {
                let long = "\(self.pages[page].base)\(base)"
                let isShared = counts[base.lowercased(), default: 0] > 1
                let name = choose(isShared ? [long] : [base, long]) { [$0, Event(request: $0).values] }
                self.pages[page].events.append(Event(request: name))
            }
        }
    }

    private mutating func addType(of schema: ValueSchema, _ direction: ValueSchema.Direction) {
        if let identifier = schema.typeIdentifier, let typeName = schema.typeName {
            if let known = types.positions[identifier] {
                if types.all[known].direction != direction { types.all[known].direction = .both }
            } else {
                let base = Self.typeName(typeName, "Type")
                let name = choose([base, "\(base)Value"]) { [$0] }
                types.positions[identifier] = types.all.count
                types.all.append((name, schema.required, direction))
            }
        }
        switch schema.kind {
        case .array(let element): addType(of: element, direction)
        case .object(let members): for member in members { addType(of: member.schema, direction) }
        default: break
        }
    }

    /// The first of the candidates of which no name is used. If all are used, the last one with a number. From now on, the names for which it stands
    /// are used.
    private mutating func choose(_ candidates: [String], _ names: (String) -> [String]) -> String {
        var number = 1
        while true {
            for candidate in number == 1 ? candidates : candidates.suffix(1).map({ "\($0)\(number)" }) {
                let names = names(candidate).map { $0.lowercased() }
                guard used.isDisjoint(with: names) else { continue }
                used.formUnion(names)
                return candidate
            }
            number += 1
        }
    }

    /// Makes `LoginButtonPressed` of `loginButtonPressed`, `GiftCard` of `gift-card`. The noun begins the name if the text begins with no letter.
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
