import Understudy
import UnderstudyCommandLine

var application = Application(title: "Wishes", version: "1.0") { _ in [Page("wishes") { _ in WishesController() }] }
application.templates = WishesController.templates
application.assets = WishesController.assets
try await application.run()
