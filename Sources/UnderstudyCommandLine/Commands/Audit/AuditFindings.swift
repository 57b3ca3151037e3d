import Accounts

/// What the verification of an audit log has found.
struct AuditFindings {
    /// A hash that the log must contain; `nil` for any.
    private let hash: String?
    private var containsHash: Bool
    private var faults: [String] = []

    /// - Parameter hash: a hash that the log must contain; `nil` for any.
    init(requiring hash: String?) {
        self.hash = hash?.lowercased()
        containsHash = hash == nil
    }

    /// Adds what is wrong; keeps only its number if something else was wrong before.
    mutating func add(_ fault: String) { faults.append(faults.isEmpty ? fault : "") }

    /// Adds the hash of a line.
    mutating func addHash(_ hash: String?) {
        if hash == self.hash { containsHash = true }
    }

    /// Prints the number of valid records and the last hash.
    ///
    /// - Throws: ``CommandError`` with the first fault, or if no line has the required hash.
    func report(_ chain: AuditChain) throws(CommandError) {
        Terminal.print("\(chain.validCount) \(chain.validCount == 1 ? "record is" : "records are") valid")
        if let last = chain.last { Terminal.print("last hash: \(last)") }
        if let first = faults.first {
            let more = faults.count > 1 ? " (\(faults.count - 1) more)" : ""
            throw CommandError("\(first)\(more)")
        }
        if !containsHash { throw CommandError("No line has the hash that '--contains' gives: records are missing.") }
    }
}
