struct RequestIDTests {
    @Test func `an ID is 15 characters that a client's ID may contain`() {
        let id = RequestID.next()
        #expect(id.utf8.count == 15)
        #expect(id.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) })
        #expect(RequestID.accepted(ArraySlice(id.utf8)) == id)
    }

    @Test func `IDs are unique across tasks`() async {
        let ids = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { (0..<5_000).map { _ in RequestID.next() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ids.count == 20_000)
        #expect(Set(ids).count == 20_000)
    }

    @Test func `IDs of one process begin with the same characters`() {
        #expect(RequestID.next().prefix(7) == RequestID.next().prefix(7))
    }

    @Test(arguments: ["a", "Z", "0", ".", "_", "-", "4bf92f35-77b3.4da6_A", String(repeating: "x", count: 64)])
    func `a client's valid ID is accepted`(id: String) { #expect(RequestID.accepted(ArraySlice(id.utf8)) == id) }

    @Test(arguments: [
        "", " ", "a b", " a", "a ", "a/b", "a:b", "a,b", "a\"", "<a>", "a\n", "a\0", "ä", "\u{7F}", "a+b", "a=", "a@b",
        String(repeating: "x", count: 65),
    ])
    func `a client's invalid ID is not accepted`(id: String) { #expect(RequestID.accepted(ArraySlice(id.utf8)) == nil) }
}
