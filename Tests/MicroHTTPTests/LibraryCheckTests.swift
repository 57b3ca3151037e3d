import Testing

@testable import MicroHTTP

@Suite struct LibraryCheckTests {
    /// A head such as a library hands it out.
    private func head(isExact: Bool, _ headers: KeyValuePairs<String, String> = ["Host": "a"]) -> RequestHead {
        RequestHead(method: .get, target: "/", version: .http11, isExact: isExact, headers: Headers(unchecked: headers))
    }

    @Test func `each response of the installed library has its own, writable header values`() throws {
        #expect(try LibraryCheck.installed().ownsHeaderValues)
    }

    @Test func `a library that rejects what is wrong needs no layout`() throws {
        let check = try LibraryCheck(
            version: "2",
            right: [("right", head(isExact: true)), ("moved", head(isExact: false))],
            wrong: [("seen", nil), ("handed out", head(isExact: false, ["Host": "a", "X": "b\0c"]))],
            chunkSizes: [5, 1, 3]
        )
        #expect(check.isStrict)
        #expect(!check.hasChunkLayout)
    }

    @Test func `a library that accepts what is wrong can be used if its layout shows it`() throws {
        let check = try LibraryCheck(
            version: "2",
            right: [("right", head(isExact: true))],
            wrong: [("seen", nil), ("handed out", head(isExact: false))],
            chunkSizes: [5, 1, 3]
        )
        #expect(!check.isStrict)
        #expect(check.hasChunkLayout)
    }

    @Test func `a library that accepts what is wrong and has no layout cannot be used`() {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "right")) {
            try LibraryCheck(
                version: "2",
                right: [("right", head(isExact: false))],
                wrong: [("seen", nil), ("wrong", head(isExact: false))]
            )
        }
    }

    @Test func `a library whose layout does not show what is wrong cannot be used`() {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "wrong")) {
            try LibraryCheck(
                version: "2",
                right: [("right", head(isExact: true))],
                wrong: [("wrong", head(isExact: true))]
            )
        }
    }

    @Test(arguments: [true, false])
    func `a library that does not hand out what is right cannot be used`(isSeen: Bool) {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "right")) {
            let right = isSeen ? head(isExact: true, [:]) : nil
            return try LibraryCheck(version: "2", right: [("right", right)], wrong: [])
        }
    }

    @Test func `an unsuitable library is told with the head that it misreads`() {
        #expect(
            ServerError.unsuitableLibrary(version: "2", head: "GET\0\r\n").description
                == #"libmicrohttpd 2 does not suit: it misreads "GET\0\r\n""#
        )
    }
}
