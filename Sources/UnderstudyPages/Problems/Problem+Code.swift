extension Problem {
    /// Clients depend on them.
    package enum Code: String, CaseIterable {
        case malformedRequest, malformedJSON, malformedBody, invalidParameter, notAuthenticated, crossSite
        case unknownPage, unknownProblem, notRecorded, methodNotAllowed, historyGone, bodyTooLarge, targetTooLong
        case unsupportedMediaType, unknownEvent, missingField, wrongFieldType, unknownField, idempotencyKeyReused
        case unknownRule, tooManyRequests, headersTooLarge, `internal`, unsupportedTransferCoding, overloaded,
            unavailable
        case answerTimeout, unsupportedHTTPVersion, valueTooLong, sessionFull, misdirectedRequest
        case valueTooShort, valueOutOfRange, unknownChoice, wrongCount

        package var status: Int { entry.status }

        /// It never changes.
        package var title: String { entry.title }

        /// What the error means, when it occurs and what to do about it. `GET /problems/CODE` returns it.
        package var explanation: String { entry.explanation }

        private var entry: Entry {
            guard let entry = Self.entries[self] else { preconditionFailure("problems.txt lacks \(self)") }
            return entry
        }

        private typealias Entry = (status: Int, title: String, explanation: String)

        /// The table `problems.txt`: of each problem, a line with its code, its status and its title, and a paragraph that explains it.
        private static let entries: [Code: Entry] = {
            var entries: [Code: Entry] = [:]
            for text in String(decoding: PackageResources.problems_txt, as: UTF8.self).split(separator: "\n\n") {
                let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
                let head = lines[0].split(separator: " ", maxSplits: 2).map(String.init)
                guard head.count == 3, let code = Code(rawValue: head[0]), let status = Int(head[1]) else {
                    preconditionFailure("problems.txt: \(lines[0])")
                }
                entries[code] = (status, head[2], lines.dropFirst().joined(separator: " "))
            }
            return entries
        }()
    }
}
