import Understudy
import UnderstudyCommandLine

var application = Application(title: "Booking", version: "1.0") {
    bookingPages(slots: Slots(topics: $0.topics, clock: $0.clock), clock: $0.clock)
}
application.templates = ["booking": String(decoding: PackageResources.booking_mustache, as: UTF8.self)]
application.assets = ["look.css": PackageResources.look_css]
try await application.run()
