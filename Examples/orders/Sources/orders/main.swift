import Understudy
import UnderstudyCommandLine

try await UnderstudyCommandLine.run(
    title: "Orders",
    version: "1.0",
    translations: try Translations(catalog: PackageResources.Localizable_xcstrings)
) { _ in orderPages() }
