struct SessionIDTests {
    @Test func `a reference is read from its bytes and its text`() throws {
        let reference = try #require(SessionID(bytes: (0..<16).map { UInt8($0 * 16 + 1) }))
        #expect(reference.description == "01112131415161718191a1b1c1d1e1f1")
        #expect(SessionID(reference.description) == reference)
        #expect(SessionID(bytes: reference.bytes) == reference)
    }

    @Test(arguments: [
        "", "00", "0123456789abcdef0123456789abcdeg", "0123456789ABCDEF0123456789ABCDEF",
        "+123456789abcdef0123456789abcdef",
        "0123456789abcdef0123456789abcdef0", "éééééééééééééééé",
    ])
    func `another text is no reference`(text: String) { #expect(SessionID(text) == nil) }

    @Test(arguments: [0, 15, 17])
    func `another number of bytes is no reference`(count: Int) {
        #expect(SessionID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}
