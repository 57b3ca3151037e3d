/// Generates valid heads of requests: the same ones in each run.
struct HeadGenerator {
    private var state: UInt64 = 1

    /// A head without a body, and the number of its headers.
    mutating func next() -> (text: String, headers: Int) {
        let target = "/" + text(of: "abc/20.~-_!$&'()*+,;=:@", upTo: 200) + (isChosen() ? "?" + query() : "")
        var lines = ["\(isChosen() ? "GET" : text(of: "ABC!#$%&'*+.^_`|~-", upTo: 9) + "X") \(target) HTTP/1.1"]
        lines.append("Host:\(space())a\(space())")
        for _ in 0..<number(below: 20) {
            let name = "x" + text(of: "abcXYZ019!#$%&'*+-.^_`|~", upTo: 30)
            lines.append("\(name):\(space())\(text(of: "abc XYZ\t:;,=\"\\()<>@[]{}?/ü\u{20AC}", upTo: 60))")
        }
        return (lines.joined(separator: "\r\n") + "\r\n\r\n", lines.count - 1)
    }

    private mutating func query() -> String {
        text(of: "abc=&?26+/;", upTo: 60)
    }

    private mutating func space() -> String {
        text(of: " \t", upTo: 4)
    }

    private mutating func text(of alphabet: String, upTo count: Int) -> String {
        let alphabet = Array(alphabet)
        return String((0..<number(below: count)).map { _ in alphabet[number(below: alphabet.count)] })
    }

    private mutating func isChosen() -> Bool {
        number(below: 2) == 0
    }

    /// A number from a linear congruential generator with Knuth's constants.
    private mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
