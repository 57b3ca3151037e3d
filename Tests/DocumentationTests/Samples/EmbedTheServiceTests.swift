// The samples of the article "Embed the service".
import BundledPages
import BusinessLogic
import Foundation
import HTTPMessages
import Logging
import MicroHTTP
import ServiceLifecycle
import Testing
import Understudy

func couponServer(hasStarted: @escaping @Sendable (ServerAddress) -> Void) -> UnderstudyServer {
    var configuration = ServiceConfiguration()
    configuration.pathPrefix = "/shop"
    configuration.sessions.idle = .seconds(10 * 60)
    configuration.accessLogger = Logger(label: "access")
    let service = UnderstudyService(pages: Page.bundled() + [couponPage], configuration: configuration)

    var listening = ServerConfiguration()
    listening.port = 0
    return UnderstudyServer(service: service, configuration: listening, hasStarted: hasStarted)
}

@Test func `the coupon page is served below a path`() async throws {
    let (addresses, found) = AsyncStream.makeStream(of: ServerAddress.self)
    let server = couponServer { found.yield($0) }
    let group = ServiceGroup(services: [server], logger: Logger(label: "shop"))
    let running = Task { try await group.run() }

    for await address in addresses.prefix(1) {
        let url = try #require(URL(string: "http://\(address)/shop/coupon"))
        let page = try String(contentsOf: url, encoding: .utf8)
        #expect(page.contains("redeemButtonPressed"))
    }

    await group.triggerGracefulShutdown()
    try await running.value
}

func redeem(_ code: String, with service: UnderstudyService) async throws -> String {
    let request = Request(
        .post,
        "/coupon",
        headers: ["Content-Type": "application/json"],
        body: Array(try JSONEncoder().encode(["code": code]))
    )
    let response = await service.respond(to: request)
    return String(decoding: response.body, as: UTF8.self)
}

@Test func `a coupon is redeemed without a socket`() async throws {
    let service = UnderstudyService(pages: [couponPage])
    #expect(try await redeem("summer", with: service).contains("You save 10 %"))
}

@Test func `the OpenAPI document describes an embedder's page`() {
    let service = UnderstudyService(pages: [couponPage])
    #expect(service.openAPIDocument.contains("/coupon:"))
}
