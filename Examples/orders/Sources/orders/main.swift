import Understudy
import UnderstudyCommandLine

var application = Application(title: "Orders", version: "1.0") { _ in orderPages() }
application.translations = try Translations(catalog: PackageResources.Localizable_xcstrings)
try await application.run()
