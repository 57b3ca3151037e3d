import BusinessLogic
import Foundation
import Testing

@Suite struct MessageParametersTests {
    @Test func `the parameters of a decoded message are in their declared order`() throws {
        let names = ["zeta", "alpha", "mid", "beta", "omega", "gamma"]
        var parameters: Value.Object = [:]
        for (index, name) in names.enumerated() { parameters[name] = Value(index) }
        let message = Message(code: "a.b", text: "", parameters: parameters)
        let decoded = try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
        #expect(decoded.parameters.map(\.name) == names)
        #expect(decoded == message)
    }

    @Test func `a message that was stored without the order decodes`() throws {
        let json = Data(#"{"code":"a.b","text":"","parameters":{"one":1,"two":2}}"#.utf8)
        #expect(try JSONDecoder().decode(Message.self, from: json).parameters == ["one": 1, "two": 2])
    }
}
