struct OneTimeCodeSecretTests {
    let secret = OneTimeCodeSecret(bytes: "12345678901234567890".bytes)

    func time(_ seconds: Int64) -> Timestamp { .ms(seconds * 1000) }

    // RFC 6238, appendix B, has eight digits.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)]
    )
    func `the vectors of RFC 6238 are right`(seconds: Int64, code: String) {
        #expect(secret.step(of: code, at: time(seconds)) == Int(seconds / 30))
        #expect(secret.step(of: code, at: time(seconds + 90)) == nil)
    }

    // RFC 4226, appendix D.
    @Test func `the vectors of RFC 4226 are right`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { secret.code(ofStep: $0) } == codes)
    }

    @Test func `a code is accepted one step early and one step late`() {
        // The code of the seconds from 60 to 89.
        let accepted = stride(from: 0, to: 150, by: 1).filter { secret.step(of: "359152", at: time($0)) != nil }
        #expect(accepted == Array(30...119))
    }

    @Test func `a code works once, and no earlier one after it`() {
        #expect(secret.step(of: "359152", at: time(70), after: 2) == nil)
        #expect(secret.step(of: "287082", at: time(70), after: 2) == nil)
        #expect(secret.step(of: "969429", at: time(70), after: 2) == 3)
    }

    @Test(
        arguments: ["359 152", " 359152\n", "3 5 9 1 5 2"],
        ["", "35915", "3591520", "+59152", "٣٥٩١٥٢", "359152\0"]
    )
    func `a code is six digits, among which white space is ignored`(code: String, other: String) {
        #expect(secret.step(of: code, at: time(70)) == 2)
        #expect(secret.step(of: other, at: time(70)) == nil)
    }

    @Test(arguments: [-1_000_000, 0, Int64.max / 1000, Int64.min / 1000])
    func `any time has codes`(seconds: Int64) { #expect(secret.step(of: "000000", at: time(seconds)) == nil) }

    @Test func `two secrets differ, and have 20 bytes`() {
        #expect(OneTimeCodeSecret.random().bytes.count == 20)
        #expect(OneTimeCodeSecret.random() != OneTimeCodeSecret.random())
    }

    // MARK: How an app gets the secret

    @Test func `a person can type the secret`() {
        #expect(secret.text == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        #expect(OneTimeCodeSecret(bytes: [0xFF]).text == "74")
        #expect(OneTimeCodeSecret(bytes: []).text == "")
    }

    @Test func `an app opens the address, whatever the names contain`() {
        #expect(
            secret.address(of: "lisa+a:b@rules.example", issuer: "The shop & co") == """
                otpauth://totp/The%20shop%20%26%20co:lisa%2Ba%20b%40rules.example?secret=\
                GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=The%20shop%20%26%20co
                """
        )
    }

    @Test func `no colon in a name separates, not even with a combining mark`() {
        let address = secret.address(of: "a:\u{301}b", issuer: "The:\u{301}shop")
        #expect(address.hasPrefix("otpauth://totp/The%20%CC%81shop:a%20%CC%81b?"))
    }

    @Test func `the picture has the three squares in its corners`() throws {
        let svg = try #require(secret.qrCode(of: "lisa@rules.example", issuer: "Shop"))
        let size = try #require(Int(svg.split(separator: "viewBox=\"0 0 ")[1].prefix { $0.isNumber }))
        let path = try #require(svg.split(separator: "<path stroke=\"#000\" d=\"").last)
        let rows = path.split(separator: "M").map { $0.prefix { $0 != "\"" } }
        #expect(rows.count == size - 8)
        // A side of seven modules, in the first and the last row. The last row has one at its beginning only.
        #expect(rows[0].hasPrefix("4 4.5h7m") && rows[0].hasSuffix("h7"))
        #expect(rows[size - 9].hasPrefix("4 \(size - 5).5h7m") && !rows[size - 9].hasSuffix("h7"))
        for row in rows {
            let runs = row.split(maxSplits: 1) { "hm".contains($0) }[1].split { "hm".contains($0) }
            #expect(runs.reduce(0) { $0 + (Int($1.prefix { $0 != " " }) ?? 0) } == size - 8)
        }
    }

    @Test func `names that are too long for a picture have none`() {
        #expect(secret.qrCode(of: "a".repeated(3_000), issuer: "") == nil)
    }
}
