import Foundation
import Glibc
import Synchronization

/// Passes connections on to a server. When a client sends a given text for the first time, it discards the server's answer and closes the
/// connection, or closes the connection without passing the text on. Later connections work.
package final class CuttingProxy: Sendable {
    let listener: ListeningSocket
    let target: UInt16
    let trigger: [UInt8]
    let passesTrigger: Bool
    let hasTriggered = Atomic(false)

    /// A connection of a client.
    final class Link: Sendable {
        let isCut = Atomic(false)
    }

    package var port: UInt16 { listener.port }

    /// - Parameter passesTrigger: whether the server receives the text.
    package init(to target: UInt16, cutAfter trigger: String, passesTrigger: Bool = true) throws {
        listener = try ListeningSocket()
        self.target = target
        self.trigger = Array(trigger.utf8)
        self.passesTrigger = passesTrigger
        Thread.detachNewThread { self.accept() }
    }

    /// Ends the thread that accepts connections.
    package func stop() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    func accept() {
        while true {
            let client = Glibc.accept(listener.descriptor, nil, nil)
            guard client >= 0 else { return }
            let server = ListeningSocket.connect(to: target)
            let link = Link()
            Thread.detachNewThread { self.copy(from: client, to: server, isRequest: true, link) }
            Thread.detachNewThread { self.copy(from: server, to: client, isRequest: false, link) }
        }
    }

    func copy(from source: Int32, to target: Int32, isRequest: Bool, _ link: Link) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var isCut = false
        while !isCut {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            if isRequest {
                let isMatch = !hasTriggered.load(ordering: .acquiring) && contains(buffer[..<count])
                if isMatch {
                    hasTriggered.store(true, ordering: .releasing)
                    link.isCut.store(true, ordering: .releasing)
                    isCut = !passesTrigger
                }
            } else {
                isCut = link.isCut.load(ordering: .acquiring)
            }
            if !isCut { send(target, buffer, count, Int32(MSG_NOSIGNAL)) }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    func contains(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.indices.contains { bytes[$0...].starts(with: trigger) } }
}
