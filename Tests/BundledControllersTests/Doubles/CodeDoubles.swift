import BundledControllers
import BusinessLogic
import Synchronization
import TestSupport

/// Sends the code 12345678 to each address, except that it throws for chris@rules.example. Records to whom.
final class CodesSpy: CodeSending {
    private let log = Mutex<[String]>([])

    /// What was sent and checked, in order.
    var calls: [String] { log.withLock { $0 } }

    private func add(_ call: String) { log.withLock { $0.append(call) } }

    func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) throws -> String {
        if email == "chris@rules.example" { throw Outage() }
        add("\(purpose) \(email)")
        return "hash"
    }

    func isRight(_ code: String, hash: String, for client: ClientContext) -> Bool {
        add("check \(code)")
        return code == "12345678" && hash == "hash"
    }
}
