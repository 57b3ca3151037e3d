import Understudy
import UnderstudyCommandLine

try await UnderstudyCommandLine.run(
    title: "Understudy",
    version: UnderstudyService.version,
    abstract: "Serves business logic without its screens.",
    discussion: """
        Try it: understudy serve --demo
        and in another terminal: curl -d username=batman -d password=bruce localhost:8080/login
        """
) { dependencies in
    Page.bundled(dependencies)
}
