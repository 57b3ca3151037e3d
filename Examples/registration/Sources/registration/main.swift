import Logging
import ServiceLifecycle
import Understudy

var configuration = ServiceConfiguration()
configuration.recording = try RecordingFolder("recordings")

let service = UnderstudyService(pages: pages, configuration: configuration)
let server = UnderstudyServer(service: service)
let group = ServiceGroup(
    services: [server],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: Logger(label: "registration")
)
try await group.run()
