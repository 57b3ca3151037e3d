import Foundation
import HTTPTestClient
import Logging
import MicroHTTP
import ServiceLifecycle
import Testing
import Understudy

/// The tutorial corrects its rule only after these commands.
@Test func `the tutorial's commands print what it shows`() async throws {
    let folder = TemporaryFolder()
    var configuration = ServiceConfiguration()
    configuration.recording = try RecordingFolder(folder.path)
    var listening = ServerConfiguration()
    listening.port = 0
    let (addresses, found) = AsyncStream.makeStream(of: ServerAddress.self)
    let server = UnderstudyServer(
        service: UnderstudyService(pages: pages, configuration: configuration),
        configuration: listening
    ) { found.yield($0) }
    let group = ServiceGroup(services: [server], logger: Logger(label: "tutorial"))
    let running = Task { try await group.run() }
    for await address in addresses.prefix(1) {
        let console = Console(port: address.port)
        let files = ["curl-1.txt", "curl-2.txt", "curl-3.txt", "curl-4.txt", "report.txt"]
        for file in files {
            let lines = try Checkout.text(TutorialStep.catalogue + "/Resources/" + file).lines
            for sample in ConsoleSample.samples(in: lines) {
                #expect(try await console.type(sample) == sample.masked, "\(file):\(sample.line)")
            }
        }
        let shown = try Checkout.text(TutorialStep.catalogue + "/Resources/report.jsonl").lines
        let report = ConsoleSample.samples(in: ["$ cat report.jsonl"] + shown.dropFirst())
        for sample in report {
            #expect(try await console.type(sample).dropFirst() == sample.masked[...])
        }
    }
    await group.triggerGracefulShutdown()
    try await running.value
    withExtendedLifetime(folder) {}
}
