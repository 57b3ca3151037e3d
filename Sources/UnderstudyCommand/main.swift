import BundledPages
import Understudy
import UnderstudyCommandLine

var application = Application(title: "Understudy", version: UnderstudyService.version) { dependencies in
    Page.bundled(dependencies) + Page.accounts(dependencies) + Page.factors(dependencies)
}
application.description = "The controllers of five articles, without their screens."
application.licence = .init("Apache License 2.0", identifier: "Apache-2.0")
application.abstract = "Serves business logic without its screens."
application.discussion = """
    Try it, the second command in another terminal:
    understudy serve --demo
    curl -d username=batman -d password=bruce localhost:8080/login
    """
application.translations = .bundled
application.createsPackages = true
try await application.run()
