import AccountsDatabase

/// What the verification of an audit log has found.
struct AuditFindings {
    /// A hash that the log must contain; `nil` for any.
    private let hash: String?
    private var containsHash: Bool
    /// The first faults.
    private var faults: [String] = []
    private var omittedCount = 0

    /// The maximum number of faults that are printed.
    private static let maximumCount = 20

    /// - Parameter hash: a hash that the log must contain; `nil` for any.
    init(requiring hash: String?) {
        self.hash = hash?.lowercased()
        containsHash = hash == nil
    }

    /// Adds what is wrong; after twenty faults, only counts it.
    mutating func add(_ fault: String) {
        if faults.count < Self.maximumCount { faults.append(fault) } else { omittedCount += 1 }
    }

    /// Adds the hash of a record.
    mutating func addHash(_ hash: String?) {
        if hash == self.hash { containsHash = true }
    }

    /// Prints the number of valid records, the last hash, and the faults.
    ///
    /// - Throws: ``CommandError`` with the last fault, or if no record has the required hash.
    func report(_ chain: AuditChain) throws(CommandError) {
        Terminal.print("\(chain.validCount) \(chain.validCount == 1 ? "record is" : "records are") valid")
        if let last = chain.last { Terminal.print("last hash: \(last)") }
        var errors = faults
        if omittedCount > 0 { errors.append("\(omittedCount) more \(omittedCount == 1 ? "fault" : "faults")") }
        if !containsHash { errors.append("No record has the hash that '--contains' gives: records are missing.") }
        guard let last = errors.popLast() else { return }
        for error in errors { Terminal.printError(error) }
        throw CommandError(last)
    }
}
