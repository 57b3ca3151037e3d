import Logging
import ServiceLifecycle
import Understudy

let pages = Page.bundled() + [Page("guestbook") { _ in GuestbookController() }]
let server = UnderstudyServer(service: UnderstudyService(pages: pages))
let group = ServiceGroup(
    services: [server],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: Logger(label: "guestbook")
)
try await group.run()
