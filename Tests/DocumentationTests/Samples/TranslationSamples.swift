import BundledPages
import Foundation
import Understudy

func translatedService(catalog file: URL) throws -> UnderstudyService {
    let catalog = try Data(contentsOf: file)
    var configuration = ServiceConfiguration()
    configuration.translations = try Translations.bundled.merging(Translations(catalog: Array(catalog)))
    return UnderstudyService(pages: Page.bundled() + [couponPage], configuration: configuration)
}
