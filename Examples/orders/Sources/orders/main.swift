import Understudy
import UnderstudyCommandLine

var application = Application(title: "Orders", version: "1.0") { _ in orderPages() }
application.translations = try Translations(catalog: PackageResources.Localizable_xcstrings)
application.templates = [
    "order": String(decoding: PackageResources.order_mustache, as: UTF8.self),
    "orders": String(decoding: PackageResources.orders_mustache, as: UTF8.self),
]
application.assets = ["look.css": PackageResources.look_css]
try await application.run()
