import BusinessLogic
import Testing

@testable import UnderstudySessions

@Suite struct WrittenCommandsTests {
    private func commands(in body: [UInt8]) -> [String] {
        WrittenCommands(in: body).all.map { "\($0.sequence) " + String(decoding: $0.json, as: UTF8.self) }
    }

    @Test func `each command is found as it was written`() {
        let values: [Value] = [
            "a", "\"}]{[\\", "\n\u{2028}", 1.5, .null, [1, [2, "]"]], ["}": ["{": "\\\""]], .array([]), .object([:]),
        ]
        let history = CommandHistory()
        for value in values { history.append(.render(key: "k{", value: value, message: nil), page: "p") }
        var body = CommandResponse.json(sequence: history.sequence, commands: history.kept, context: .recording)
        CommandResponse.add(token: "t", deviceToken: nil, to: &body)
        let found = WrittenCommands(in: body).all
        #expect(found.map(\.sequence) == Array(1...values.count))
        #expect(found.compactMap { try? JSONReader.read(Array($0.json))["value"] } == values)
    }

    @Test func `a body without commands contains none`() {
        for body in [
            "", "{}", #"{"sequence":1,"ok":true,"commands":[]}"#, #"{"sequence":1,"commands":[1]}"#,
            #"{"sequence":1,"commands":[{"page":"a"}]}"#, #"{"sequence":1,"commands":[{"sequence":1"#, #"{"code":"x"}"#,
        ] {
            #expect(commands(in: Array(body.utf8)).isEmpty, "\(body)")
        }
    }

    @Test func `the response of an earlier version is read`() {
        let body = #"{"sequence":2,"commands":[{"sequence":1,"a":{}},{"sequence":2}]}"#
        #expect(commands(in: Array(body.utf8)) == [#"1 {"sequence":1,"a":{}}"#, #"2 {"sequence":2}"#])
    }
}
