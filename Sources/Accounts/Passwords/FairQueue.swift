internal import Addresses

/// A queue of jobs that schedules requesters round-robin: first by address, then by account within an address. The jobs of one
/// account at one address run in the order of their arrival.
///
/// So a client that adds many jobs delays only its own. Each operation takes time in proportion to the number of jobs.
struct FairQueue<Job> {
    /// The jobs of one account at one address, in the order of their arrival. Never empty.
    private struct AccountLine {
        let account: AccountKey?
        var jobs: [Job]
    }

    /// The accounts of one address, the next one first. Never empty.
    private struct AddressLine {
        let address: IPAddress?
        var accounts: [AccountLine]

        var count: Int { accounts.reduce(0) { $0 + $1.jobs.count } }
    }

    /// The addresses, the next one first.
    private var addresses: [AddressLine] = []
    /// The number of waiting jobs.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a job after those of its requester.
    mutating func append(_ job: Job, of requester: PasswordHasher.Requester) {
        count += 1
        guard let line = addresses.firstIndex(where: { $0.address == requester.address }) else {
            let account = AccountLine(account: requester.account, jobs: [job])
            addresses.append(AddressLine(address: requester.address, accounts: [account]))
            return
        }
        if let index = addresses[line].accounts.firstIndex(where: { $0.account == requester.account }) {
            addresses[line].accounts[index].jobs.append(job)
        } else {
            addresses[line].accounts.append(AccountLine(account: requester.account, jobs: [job]))
        }
    }

    /// Removes and returns the next job.
    mutating func popFirst() -> Job? {
        guard !addresses.isEmpty else { return nil }
        var address = addresses.removeFirst()
        var account = address.accounts.removeFirst()
        let job = account.jobs.removeFirst()
        if !account.jobs.isEmpty { address.accounts.append(account) }
        if !address.accounts.isEmpty { addresses.append(address) }
        count -= 1
        return job
    }

    /// Removes and returns the first job that satisfies a condition.
    mutating func remove(where condition: (Job) -> Bool) -> Job? {
        for line in addresses.indices {
            for account in addresses[line].accounts.indices {
                if let index = addresses[line].accounts[account].jobs.firstIndex(where: condition) {
                    return remove(line, account, index)
                }
            }
        }
        return nil
    }

    /// Removes and returns a job, so that a full queue has room for one of `requester`: the newest job of the account with the
    /// most jobs, at the address with the most jobs. The requester's new job counts as waiting.
    ///
    /// - Returns: `nil` if no other requester has more jobs than this one.
    mutating func removeNewest(makingRoomFor requester: PasswordHasher.Requester) -> Job? {
        var line = addresses.firstIndex { $0.address == requester.address }
        var most = (line.map { addresses[$0].count } ?? 0) + 1
        for (index, other) in addresses.enumerated() where other.count > most {
            (line, most) = (index, other.count)
        }
        guard let line else { return nil }
        let isOwn = addresses[line].address == requester.address
        let accounts = addresses[line].accounts
        var account = isOwn ? accounts.firstIndex { $0.account == requester.account } : nil
        most = isOwn ? (account.map { accounts[$0].jobs.count } ?? 0) + 1 : 0
        for (index, other) in accounts.enumerated() where other.jobs.count > most {
            (account, most) = (index, other.jobs.count)
        }
        guard let account, !isOwn || accounts[account].account != requester.account else { return nil }
        return remove(line, account, accounts[account].jobs.count - 1)
    }

    /// Removes and returns a job, then its account and its address if they are empty.
    private mutating func remove(_ line: Int, _ account: Int, _ index: Int) -> Job {
        let job = addresses[line].accounts[account].jobs.remove(at: index)
        if addresses[line].accounts[account].jobs.isEmpty { addresses[line].accounts.remove(at: account) }
        if addresses[line].accounts.isEmpty { addresses.remove(at: line) }
        count -= 1
        return job
    }
}
