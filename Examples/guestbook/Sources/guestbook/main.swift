import Understudy
import UnderstudyCommandLine

try await Application(title: "Guestbook", version: "1.0") { dependencies in
    Page.bundled(dependencies) + [Page("guestbook") { _ in GuestbookController() }]
}.run()
