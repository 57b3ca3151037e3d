struct BrowserCookiesTests {
    func cookies(_ header: String) -> BrowserCookies {
        BrowserCookies(Request(.get, "/", headers: Headers([("Cookie", header)])))
    }

    @Test func `a stored cookie replaces the one of the same name, and no other`() {
        var cookies = cookies("session=a; session2=b;session=c")
        cookies.store("session=d; Path=/; HttpOnly")
        #expect(cookies.header == " session2=b;session=d")
        #expect(cookies.changes == ["session=d; Path=/; HttpOnly"])
        #expect(cookies.value(of: "session") == "d")
        #expect(cookies.value(of: "session2") == "b")
        #expect(cookies.value(of: "other") == nil)
    }

    /// Prepend, Extend and SpacingMark characters and a joiner make one `Character` with a separator beside them.
    @Test(arguments: ["\u{600}", "\u{301}", "\u{903}", "\u{200D}"])
    func `a separator next to a character that joins it still separates`(mark: String) {
        #expect(cookies("a=\(mark);session=x").value(of: "session") == "x")
        #expect(cookies("session=\(mark)x").value(of: "session") == "\(mark)x")
        var cookies = cookies("session=\(mark)old;\(mark)=1")
        cookies.store("session=new")
        #expect(cookies.value(of: "session") == "new")
        #expect(cookies.header == "\(mark)=1;session=new")
    }
}
