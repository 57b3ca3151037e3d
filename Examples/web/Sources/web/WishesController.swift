import BusinessLogic

final class WishesController: BusinessLogicController {
    static let wish = Field<String>("wish")
    static let wishes = Output<[String]>("wishes")
    static let empty = Message(code: "wishes.empty", text: "Write a wish first", field: "wish")
    static let events: EventTable<WishesController> = [
        .default("addButtonPressed", reads: wish, gives: [.renders(wishes), .alerts(empty)]) { $0.add($1) }
    ]
    static let templates = ["wishes": String(decoding: PackageResources.wishes_mustache, as: UTF8.self)]
    static let assets = ["look.css": PackageResources.look_css, "wish-count.js": PackageResources.wish_count_js]

    weak var controllable: (any Controllable)?
    var state: [String] = []

    private func add(_ wish: String) {
        guard !wish.isEmpty else { return showAlert(Self.empty) }
        state.append(wish)
        render(Self.wishes, state)
    }
}
