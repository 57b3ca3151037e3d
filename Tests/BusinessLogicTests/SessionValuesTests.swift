private struct Onboarding: Codable, Equatable {
    var phone: String?
    var steps: [String] = []
}

private let initial = Onboarding(steps: ["start"])
private let onboarding = SessionValue("onboarding", initial)
private let visits = SessionValue("visits", 0)

struct SessionValuesTests {
    let values = SessionValues()

    /// The values that `values` has encoded, in another process. Counts how often a value is decoded.
    func restore(_ saved: Value.Object, decodings: Tally = Tally()) -> SessionValues {
        let values = SessionValues()
        values.restore(saved) { value, type, _ in
            decodings.add()
            return try decoded(type, from: "\(value)")
        }
        return values
    }

    func encoded(_ values: SessionValues) -> Value.Object {
        values.encoded { try? decoded(Value.self, from: json($0)) }
    }

    @Test func `a value of a new session is the initial one`() {
        #expect(values.isEmpty)
        #expect(values[onboarding].value == initial)
        #expect(!values.isEmpty)
        #expect(!values.hasChanged)
    }

    @Test func `all pages of a session share a value`() {
        values[onboarding].value.phone = "+4930"
        #expect(values[onboarding].value.phone == "+4930")
        #expect(values[onboarding] === values[SessionValue("onboarding", Onboarding())])
        #expect(SessionValues()[onboarding].value.phone == nil)
    }

    @Test func `a failed event restores the values and the user`() async throws {
        let recorder = ResponseRecorder(page: "first")
        let identity = StubIdentity()
        func run(_ step: String, fails: Bool) async throws {
            try await recorder.runEvent(with: [:], identity: identity, sessionValues: values) {
                identity.user = User(username: "lisa")
                values[visits].value += 1
                values[onboarding].value.steps.append(step)
                if fails { throw Outage() }
            }
        }
        await #expect(throws: Outage()) { try await run("a", fails: true) }
        #expect(values[onboarding].value == initial)
        #expect(values[visits].value == 0)
        #expect(identity.user == nil)

        try await run("a", fails: false)
        #expect(!values.hasChanged)
        await #expect(throws: Outage()) { try await run("b", fails: true) }
        #expect(values[onboarding].value == Onboarding(steps: ["start", "a"]))
        #expect(values[visits].value == 1)
        #expect(identity.user == User(username: "lisa"))
    }

    @Test func `rolling back restores the value before the first change since the commit`() {
        let shared = values[visits]
        shared.value = 1
        shared.value = 2
        #expect(values.hasChanged)
        values.rollBack()
        #expect(shared.value == 0)
        #expect(!values.hasChanged)
        shared.value = 3
        values.commit()
        values.rollBack()
        #expect(shared.value == 3)
        shared.value = 4
        values.rollBack()
        #expect(shared.value == 3)
    }

    @Test func `the values can have another size after the first request for one, or a change`() {
        #expect(!values.mayHaveOtherSize)
        let shared = values[visits]
        #expect(values.mayHaveOtherSize)
        values.commit()
        #expect(values[visits] === shared)
        #expect(!values.mayHaveOtherSize)
        shared.value = 1
        #expect(values.mayHaveOtherSize)
        values.rollBack()
        #expect(!values.mayHaveOtherSize)
    }

    @Test func `an optional value is rolled back to nil`() {
        let shared = values[SessionValue("nickname", String?.none)]
        shared.value = "lisa"
        shared.value = "bart"
        values.rollBack()
        #expect(shared.value == nil)
    }

    @Test func `a restored session decodes a value when it is first requested`() {
        values[onboarding].value.steps.append("a")
        values[visits].value = 7
        let saved = encoded(values)
        #expect(saved == ["onboarding": ["steps": ["start", "a"]], "visits": 7])

        let decodings = Tally()
        let restored = restore(saved, decodings: decodings)
        #expect(!restored.isEmpty)
        #expect(decodings.count == 0)
        #expect(restored[onboarding].value == Onboarding(steps: ["start", "a"]))
        #expect(restored[onboarding].value.steps.count == 2)
        #expect(decodings.count == 1)
        #expect(!restored.hasChanged)
        // The value that no page has requested is saved again.
        #expect(encoded(restored) == saved)
        #expect(decodings.count == 1)
        restored[onboarding].value = Onboarding()
        restored.commit()
        #expect(encoded(restored) == ["onboarding": ["steps": []], "visits": 7])
    }

    @Test func `a saved value of another type is replaced by the initial one`() {
        let restored = restore(["visits": "many", "onboarding": 3])
        #expect(restored[visits].value == 0)
        #expect(restored[onboarding].value == initial)
        #expect(encoded(restored)["visits"] == 0)
    }

    @Test func `two types under one name are an error, and each page has a value`() throws {
        let values = SessionValues()
        values[SessionValue("visits", 0)].value = 3
        try values.requireOneType()
        #expect(values[SessionValue("visits", "many")].value == "many")
        #expect { try values.requireOneType() } throws: {
            "\($0)" == "the session value 'visits' is declared with two types"
        }
        try values.requireOneType()
        #expect(values[SessionValue("visits", 0)].value == 3)
        // Also if the user has logged out meanwhile.
        _ = values[SessionValue("visits", "many")]
        values.removeAll()
        #expect(throws: SessionValueTypeError.self) { try values.requireOneType() }
    }

    @Test func `the size counts requested and saved values`() {
        let restored = restore(["visits": 7, "note": .string("a".repeated(1000))])
        let before = restored.memorySize { _ in 0 }
        #expect(before > 1000)
        _ = restored[visits]
        #expect(restored.memorySize { _ in 5000 } > before + 4000)
    }
}
