struct RecordedCollaboratorsTests {
    let place = RecordingDirectory()
    /// The random numbers with which a die with six sides shows 2, 2, 6 and 1.
    let numbers: [UInt64] = [0x4000_0000_0000_0000, 0x4000_0000_0000_0001, .max, 1 << 40]
    let today = DiceController.page(ForbiddenCollaborator(), random: ForbiddenCollaborator())

    /// Records a session in which Lisa and Bart throw the dice in turn.
    func record(_ page: Page, throws count: Int, isRedacted: Bool = false) async throws -> Recording {
        try await place.record([page], isRedacted: isRedacted) { client in
            for number in 0..<count {
                try await client.post("/dice", "name=\(number.isMultiple(of: 2) ? "Lisa" : "Bart")")
            }
        }
    }

    func recordFourThrows() async throws -> Recording {
        try await record(DiceController.page(MemoryScores(), random: SequenceRandom(numbers)), throws: 4)
    }

    @Test func `an embedder's page replays as recorded without its collaborators`() async throws {
        let recording = try await recordFourThrows()
        #expect(
            recording.events.map(\.commands) == [
                [.render("points", 2), .goToPage("winners", ["beaten": nil])], [.render("points", 2)],
                [.render("points", 6), .goToPage("winners", ["beaten": "Lisa"])], [.render("points", 1)],
            ]
        )
        #expect(
            recording.events[2].results.map(\.value) == [
                ["from": "sides", "answer": 6], ["from": "random", "answer": -1],
                ["from": "best", "answer": ["name": "Lisa", "points": 2]], ["from": "keep", "answer": true],
            ]
        )
        #expect(try await recording.findings(on: [today]) == [])
    }

    @Test func `a rule that needs more random numbers gets the same ones in each replay`() async throws {
        let recording = try await recordFourThrows()
        let more = DiceController.page(ForbiddenCollaborator(), random: ForbiddenCollaborator(), count: 100)
        let findings = try await recording.findings(on: [more])
        #expect(findings.first?.event == 1)
        #expect(findings.first?.recorded == #"{"command":"render","key":"points","value":2}"#)
        #expect(try await recording.findings(on: [more]) == findings)
    }

    @Test(
        arguments: [CollaboratorError.overloaded(retryAfter: .seconds(1)), ForbiddenCollaborator.WasCalled()]
            as [any Error]
    )
    func `a recorded error is thrown again, an embedder's own as a general error`(failure: any Error) async throws {
        let scores = MemoryScores(failure: failure)
        let recording = try await record(DiceController.page(scores, random: SequenceRandom()), throws: 1)
        #expect(recording.events[0].failure == CollaboratorFailure(failure))
        #expect(try await recording.findings(on: [today]) == [])
    }

    @Test func `a redacted recording contains random numbers, and no other results`() async throws {
        let page = DiceController.page(MemoryScores(), random: SequenceRandom(numbers))
        let recording = try await record(page, throws: 3, isRedacted: true)
        #expect(
            recording.events[2].results.map(\.value) == [
                ["from": "sides", "answer": 0], ["from": "random", "answer": -1],
                ["from": "best", "answer": ["name": "Xxxx", "points": 0]], ["from": "keep", "answer": true],
            ]
        )
    }

    @Test(arguments: [0, 1, 1 << 62, 1 << 63 - 1, 1 << 63, .max] as [UInt64])
    func `every random number replays unchanged`(number: UInt64) async throws {
        let random = SequenceRandom([number])
        let recording = try await record(DiceController.page(MemoryScores(sides: 1 << 62), random: random), throws: 1)
        let log = CollaboratorLog(.replaying)
        log.put(recording.events[0].results)
        var replayed = PageContext(identity: SessionIdentity(user: nil), log: log).recorded(ForbiddenCollaborator())
        #expect(replayed.next() == number)
        #expect(log.missing.isEmpty)
        _ = replayed.next()
        #expect(
            log.missing.first?.description
                == "the collaborator 'random' is called, but the recording contains no further result of it"
        )
    }

    @Test func `without recording, collaborators are called directly`() async throws {
        let context = PageContext(identity: SessionIdentity(user: nil))
        let random = SequenceRandom()
        #expect(context.recorded(random) as? SequenceRandom === random)
        let scores = RecordedScores(scores: MemoryScores(sides: 20), results: context.results)
        try await scores.keep(Score(points: 3, name: "Lisa"))
        #expect(try await scores.best() == Score(points: 3, name: "Lisa"))
        #expect(scores.sides == 20)
        let failing = MemoryScores(failure: ForbiddenCollaborator.WasCalled())
        await #expect(throws: ForbiddenCollaborator.WasCalled.self) {
            try await RecordedScores(scores: failing, results: context.results).best()
        }
    }
}
