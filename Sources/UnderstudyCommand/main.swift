import BundledPages
import Understudy
import UnderstudyCommandLine

try await UnderstudyCommandLine.run(
    title: "Understudy",
    version: UnderstudyService.version,
    description: "The controllers of five articles, without their screens.",
    licence: .init("Apache License 2.0", identifier: "Apache-2.0"),
    abstract: "Serves business logic without its screens.",
    discussion: """
        Try it, the second command in another terminal:
        understudy serve --demo
        curl -d username=batman -d password=bruce localhost:8080/login
        """,
    translations: .bundled,
    createsPackages: true
) { dependencies in
    (Page.bundled(dependencies) + Page.accounts(dependencies)).withFactors(dependencies)
}
