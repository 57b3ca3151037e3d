/// What a replay reports after a change of an application.
struct ChangedRulesTests {
    /// A change of an application, requests before it, and what a replay reports after it.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let old: [Page]
        let new: [Page]
        let path: String
        let forms: [String]
        let findings: String
    }

    let place = RecordingDirectory()

    @Test(arguments: [
        Change(
            testDescription: "fewer attempts differ at the first event that is rejected now",
            old: Page.bundled(credentials: FixedCredentials.demo, loginLimit: LoginAttempts.Limit(failures: 3)),
            new: Page.bundled(loginLimit: LoginAttempts.Limit(failures: 2)),
            path: "/login",
            forms: ["joker", "robin", "bruce"].map { "username=batman&password=\($0)" },
            findings: """
                event 3 (loginButtonPressed) of page login, command 1
                  recorded: {"command":"goToPage","name":"Home","href":"/home"}
                  now:      {"command":"showAlert","message":"You have exceeded the maximum number of attempts, please try \
                after sometime.","code":"login.tooManyAttempts"}
                event 3 (loginButtonPressed) of page login, user
                  recorded: {"username":"batman"}
                  now:      null
                """
        ),
        Change(
            testDescription: "a normaliser that accepts one more form differs at the event and at the rule",
            old: Page.bundled(),
            new: Page.bundled(normaliser: HyphenNormaliser()),
            path: "/register",
            forms: ["userID=012345 678912", "userID=012345-678912"],
            findings: """
                event 2 (textFieldDidEndEditing) of page register, command 1
                  recorded: {"command":"render","key":"userID","value":null}
                  now:      {"command":"render","key":"userID","value":"012345678912"}
                event 2 (textFieldDidEndEditing) of page register, validation userID
                  recorded: {"valid":false,"code":"registration.invalidUserID","message":"A user ID has exactly twelve digits",\
                "parameters":{"digits":12}}
                  now:      {"valid":true,"normalised":"012345678912"}
                """
        ),
        Change(
            testDescription: "an error that moves to another field is a difference",
            old: [ShopController.page(.noSuchCoupon.about("code"))],
            new: [ShopController.page(.noSuchCoupon.about("coupon"))],
            path: "/shop",
            forms: ["code=winter"],
            findings: """
                event 1 (redeemButtonPressed) of page shop, errors
                  recorded: {"ok":false,"errors":[{"field":"code","message":"There is no such coupon","code":"shop.noSuchCoupon"}]}
                  now:      {"ok":false,"errors":[{"field":"coupon","message":"There is no such coupon","code":"shop.noSuchCoupon"}]}
                """
        ),
        Change(
            testDescription: "an error that becomes a notice is a difference",
            old: [ShopController.page(.noSuchCoupon)],
            new: [ShopController.page(.notice(code: Message.noSuchCoupon.code, text: Message.noSuchCoupon.text))],
            path: "/shop",
            forms: ["code=winter"],
            findings: """
                event 1 (redeemButtonPressed) of page shop, errors
                  recorded: {"ok":false,"errors":[{"message":"There is no such coupon","code":"shop.noSuchCoupon"}]}
                  now:      {"ok":true}
                """
        ),
        Change(
            testDescription: "a destination with another address is a difference",
            old: [ShopController.page(.noSuchCoupon), CountingController.page],
            new: [ShopController.page(.noSuchCoupon)],
            path: "/shop",
            forms: ["event=countButtonPressed"],
            findings: """
                event 1 (countButtonPressed) of page shop, command 1
                  recorded: {"command":"goToPage","name":"counter","href":"/counter"}
                  now:      {"command":"goToPage","name":"counter"}
                """
        ),
        Change(
            testDescription: "another error of an event is a difference",
            old: [FailingController.page(CollaboratorError.unavailable(retryAfter: .seconds(2)))],
            new: [FailingController.page(CollaboratorError.overloaded(retryAfter: .seconds(2)))],
            path: "/failing",
            forms: ["{}", "event=succeed"],
            findings: """
                event 1 (fail) of page failing, command 1
                  recorded: failure {"code":"unavailable","retryAfter":2000}
                  now:      failure {"code":"overloaded","retryAfter":2000}
                """
        ),
        Change(
            testDescription: "a CancellationError of a controller itself is an error like any other",
            old: [FailingController.page(CancellationError())],
            new: [FailingController.page(CollaboratorError.overloaded(retryAfter: .seconds(2)))],
            path: "/failing",
            forms: ["{}"],
            findings: """
                event 1 (fail) of page failing, command 1
                  recorded: failure {"code":"other"}
                  now:      failure {"code":"overloaded","retryAfter":2000}
                """
        ),
        Change(
            testDescription: "a changed rule differs at the command that it changes",
            old: [dice(MemoryScores())],
            new: [dice { $0 > $1 && $1 == 0 }],
            path: "/dice",
            forms: [lisa, lisa, lisa],
            findings: """
                event 3 (thrown) of page dice, command 2
                  recorded: {"command":"goToPage","name":"winners","values":{"beaten":"Lisa"}}
                  now:      no command
                """
        ),
        Change(
            testDescription: "a collaborator that is called more often than recorded is named",
            old: [dice(MemoryScores())],
            new: [dice(beats: >=)],
            path: "/dice",
            forms: [lisa, lisa],
            findings: """
                event 2 (thrown) of page dice, command 2
                  recorded: no command
                  now:      the collaborator 'keep' is called, but the recording contains no further result of it
                """
        ),
        Change(
            testDescription: "a collaborator that is not called any more is a difference, also with the same response",
            old: [ShopController.page(.noSuchCoupon, isCounted: true)],
            new: [ShopController.page(.noSuchCoupon)],
            path: "/shop",
            forms: ["code=winter"],
            findings: """
                event 1 (redeemButtonPressed) of page shop, collaborators
                  recorded: 'attempts' is called
                  now:      'attempts' is not called, or less often
                """
        ),
    ])
    func `a replay of the old pages finds nothing, and one of the new pages the change`(change: Change) async throws {
        let recording = try await place.record(change.old) { client in
            for form in change.forms { try await client.post(change.path, form) }
        }
        #expect(try await recording.findings(on: change.old) == [])
        let findings = try await recording.findings(on: change.new)
        #expect(findings.map(\.description).joined(separator: "\n") == change.findings)
    }

    static let lisa = "name=Lisa"

    /// A die that shows 2, 2 and 6, one after the other.
    static func dice(
        _ scores: any ScoreKeeping = ForbiddenCollaborator(),
        beats: @escaping @Sendable (Int, Int) -> Bool = { $0 > $1 }
    ) -> Page {
        let numbers: [UInt64] = [0x4000_0000_0000_0000, 0x4000_0000_0000_0001, .max]
        return DiceController.page(scores, random: SequenceRandom(numbers), beats: beats)
    }

    // MARK: Rejected requests

    @Test func `a field that accepts more differs at the request that was rejected`() async throws {
        let recording = try await place.record([codePage(maximum: 4)]) { client in
            for form in ["text=12345", "text=123456"] { try await client.post("/code", form) }
        }
        #expect(recording.events.map { $0.problem?["code"] } == ["valueTooLong", "valueTooLong"])
        #expect(try await recording.findings(on: [codePage(maximum: 4)]) == [])
        let findings = try await recording.findings(on: [codePage(maximum: 5)])
        #expect(findings.map(\.event) == [1, 2])
        #expect(findings.first?.recorded?.hasPrefix(#"problem {"title":"#) == true)
        #expect(findings.first?.now == #"{"command":"render","key":"length","value":5}"#)
        #expect(findings.last?.recorded?.contains(#""maximum":4"#) == true)
        #expect(findings.last?.now?.contains(#""maximum":5"#) == true)
    }

    @Test func `a stricter field, and a renamed event or field, differ at the requests`() async throws {
        let recording = try await place.record([codePage(maximum: 5)]) { client in
            for form in ["text=12345", "event=redeemButtonPressed"] { try await client.post("/code", form) }
        }
        #expect(recording.events.map { $0.problem?["code"] } == [nil, "unknownEvent"])
        let finding = try #require(await recording.findings(on: [codePage(maximum: 4)]).first)
        #expect(finding.recorded == #"{"command":"render","key":"length","value":5}"#)
        #expect(finding.now?.contains(#""code":"valueTooLong""#) == true)
        let findings = try await recording.findings(on: [ShopController.page(.noSuchCoupon, named: "code")])
        #expect(findings.map(\.event) == [1, 2])
        #expect(!findings.contains { $0.isNotCompared })
    }
}

extension Message {
    fileprivate static let noSuchCoupon = Message(code: "shop.noSuchCoupon", text: "There is no such coupon")
}

/// Rejects every coupon with the message of a collaborator.
private struct ShopController: Script {
    static let code = Field<String>("code")
    static let message = Output<Message>("message")

    static let events: Events = [
        .default("redeemButtonPressed", reads: code, gives: [.rendersAnyMessage(in: message)]) { controller, _ in
            controller.countAttempt()
            controller.render(message, controller.rejection)
        },
        .event("countButtonPressed", gives: [.goes(to: Destination<Void>("counter"))]) {
            $0.goToPage(Destination<Void>("counter"))
        },
    ]

    static func page(_ rejection: Message, isCounted: Bool = false, named name: String = "shop") -> Page {
        Page(name) { context in
            let results = context.results
            return Scripted(
                ShopController(rejection: rejection) {
                    if isCounted { _ = results.from("attempts", else: false) { true } }
                }
            )
        }
    }

    let rejection: Message
    let countAttempt: () -> Void
}

/// Renders the length of a text, which has a maximum.
private struct CodeController<Maximum: TextLength>: Script {
    static var events: Events {
        let length = Output<Int>("length")
        return [
            .default("entered", reads: Field<String>("text", maximumLength: Maximum.value), gives: [.renders(length)]) {
                $0.render(length, $1.count)
            }
        ]
    }
}

private protocol TextLength: SendableMetatype { static var value: Int { get } }
private enum Four: TextLength { static let value = 4 }
private enum Five: TextLength { static let value = 5 }

private func codePage(maximum: Int) -> Page {
    maximum == 4 ? Page("code", CodeController<Four>()) : Page("code", CodeController<Five>())
}
