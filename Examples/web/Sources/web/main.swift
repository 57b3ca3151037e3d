import Understudy
import UnderstudyCommandLine

try await UnderstudyCommandLine.run(title: "Wishes", version: "1.0", templates: WishesController.templates) { _ in
    [Page("wishes") { _ in WishesController() }]
}
