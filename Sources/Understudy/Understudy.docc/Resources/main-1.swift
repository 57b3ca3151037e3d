import Logging
import ServiceLifecycle
import Understudy

let service = UnderstudyService(pages: pages)
let server = UnderstudyServer(service: service)
let group = ServiceGroup(
    services: [server],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: Logger(label: "registration")
)
try await group.run()
