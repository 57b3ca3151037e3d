/// What a replay does without the values of secret fields.
struct ErasedSecretsTests {
    let place = RecordingDirectory()

    /// Records a session that sends these PINs, and then asks for their number.
    func record(_ page: Page, _ pins: String...) async throws -> Recording {
        try await place.record([page]) { client in
            for pin in pins { try await client.post("/door", "pin=\(pin)") }
            try await client.post("/door", "event=countButtonPressed")
        }
    }

    @Test func `an event whose page examines the secret is not compared`() async throws {
        let page = DoorController.page { $0 == "1234" }
        let recording = try await record(page, "9999", "1234")
        let findings = try await recording.findings(on: [page])
        #expect(
            findings.map(\.description) == [
                "event 2 (pinEntered) of page door is not compared: its response differs, but no collaborator's result replaces "
                    + "the value of 'pin', which the recording does not contain"
            ]
        )
    }

    @Test func `a recorded decision about a secret is compared`() async throws {
        let page = DoorController.page(isRecorded: true) { $0 == "1234" }
        let recording = try await record(page, "9999", "1234")
        #expect(try await recording.findings(on: [page]) == [])
        let changed = DoorController.page(isRecorded: true, opened: false) { $0 == "1234" }
        let findings = try await recording.findings(on: [changed])
        #expect(findings.map(\.event) == [2])
        #expect(findings.map(\.recorded) == [#"{"command":"render","key":"isOpen","value":true}"#])
    }

    @Test func `a request that was rejected for a secret value is not compared`() async throws {
        let page = Page("described") { _ in DescribedController() }
        let recording = try await place.record([page]) { client in
            try await expect(client.post("/described", "birthday=1980-05-12&pin=12345&visits=1"), 422)
        }
        #expect(recording.events.map(\.erased) == [["pin"]])
        #expect(try !place.text.contains("12345"))
        let reason = "the value of 'pin' was rejected, and the recording does not contain it"
        #expect(try await recording.findings(on: [page]).map(\.kind) == [.notCompared(reason: reason)])
    }

    @Test func `a rejected request is recorded with its empty secrets`() async throws {
        let recording = try await place.record([Page("described") { _ in DescribedController() }]) { client in
            for pin in [#""""#, "null", "1"] {
                let body = #"{"event": "onStart", "values": {"pin": \#(pin), "x": 1}}"#
                try await expect(client.post("/described", body), 422)
            }
        }
        #expect(recording.events.map(\.values) == [["pin": ""], ["pin": nil], [:]])
        #expect(recording.events.map(\.erased) == [["x"], ["x"], ["pin", "x"]])
    }

    @Test func `a value of an unknown field is not recorded, because it can be a misspelt secret`() async throws {
        let pages = [OrderController.page, DoorController.page { _ in true }]
        let recording = try await place.record(pages) { client in
            try await client.post("/door", "pinn=7f3a")
            try await client.post("/order", #"{"lines": [{"product": "tea", "cod": "7f3a"}], "day": "2027-03-01"}"#)
            try await client.post("/order", #"{"lines": [], "gift": {"paper": 3, "code": "7f3a"}}"#)
        }
        #expect(recording.events.map(\.erased) == [["pinn"], ["lines"], ["gift"]])
        #expect(try !place.text.contains("7f3a"))
        let findings = try await recording.findings(on: pages)
        #expect(findings.map(\.event) == [2, 3])
        #expect(findings.allSatisfy { $0.isNotCompared })
    }

    // MARK: Rejected requests

    @Test func `rejected requests of a session fill a mebibyte of its recording at most`() async throws {
        let name = "x".repeated(60_000)
        let recording = try await place.record([DoorController.page { _ in true }]) { client in
            for _ in 1...20 { try await expect(client.post("/door", #"{"\#(name)": 1}"#), 422) }
            try await client.post("/door", "pin=1")
        }
        #expect((900_000...1 << 20).contains(try place.text.utf8.count))
        #expect(recording.events.last?.problem == nil)
    }

    @Test func `a redacted recording contains only the code of a problem`() async throws {
        let pages = [DoorController.page { _ in true }, OrderController.page]
        let recording = try await place.record(pages, isRedacted: true) { client in
            try await client.post("/door", "event=Batman")
            try await client.post("/order", #"{"lines": [], "day": "1999-03-01"}"#)
            let line = #"{"product": "tea", "size": "huge", "count": 2}"#
            try await client.post("/order", #"{"lines": [\#(line)], "day": "2027-03-01"}"#)
            // The person has typed the password in the wrong place.
            try await client.post("/door", "pin:Bruce40")
        }
        #expect(recording.events.map(\.event).prefix(3) == ["Xxxxxx", "orderButtonPressed", "orderButtonPressed"])
        #expect(try !place.text.contains("Bruce"))
        #expect(recording.events[1].problem == ["status": 422, "code": "wrongCount"])
        #expect(try await recording.findings(on: pages).allSatisfy(\.isNotCompared))
    }
}

/// Opens a door for a secret PIN.
private struct DoorController: Script {
    static let pin = Field<String>("pin", isSecret: true)
    static let isOpen = Output<Bool>("isOpen")
    static let count = Output<Int>("count")

    static let events: Events = [
        .default("pinEntered", reads: pin, gives: [.renders(isOpen)]) { controller, pin in
            controller.state += 1
            controller.render(isOpen, controller.isRight(pin) && controller.opened)
        },
        .event("countButtonPressed", gives: [.renders(count)]) { $0.render(count, $0.state) },
    ]

    static func page(
        isRecorded: Bool = false,
        opened: Bool = true,
        _ isRight: @escaping @Sendable (String) -> Bool
    ) -> Page {
        Page("door") { context in
            let results = context.results
            return Scripted(
                DoorController(opened: opened) { pin in
                    isRecorded ? results.from("isRight", else: false) { isRight(pin) } : isRight(pin)
                }
            )
        }
    }

    static let initial = 0
    let opened: Bool
    let isRight: (String) -> Bool
}
