import TestSupport

@testable import MicroHTTP

@Suite struct LibraryCheckTests {
    /// A head as a library passes it to its handler.
    private func head(isExact: Bool, _ headers: KeyValuePairs<String, String> = ["Host": "a"]) -> RequestHead {
        RequestHead(method: .get, target: "/", version: .http11, isExact: isExact, headers: Headers(unchecked: headers))
    }

    @Test func `each response of the installed library has its own, writable header values`() throws {
        #expect(try LibraryCheck.installed().ownsHeaderValues)
    }

    @Test func `a library that rejects invalid heads needs no layout`() throws {
        let check = try LibraryCheck(
            version: "2",
            valid: [("valid", head(isExact: true)), ("not exact", head(isExact: false))],
            invalid: [("rejected", nil), ("passed on", head(isExact: false, ["Host": "a", "X": "b\0c"]))],
            chunkSizes: [5, 1, 3]
        )
        #expect(check.isStrict)
        #expect(!check.hasChunkLayout)
    }

    @Test func `a library that accepts invalid heads can be used if the layout shows them`() throws {
        let check = try LibraryCheck(
            version: "2",
            valid: [("valid", head(isExact: true))],
            invalid: [("rejected", nil), ("passed on", head(isExact: false))],
            chunkSizes: [5, 1, 3]
        )
        #expect(!check.isStrict)
        #expect(check.hasChunkLayout)
    }

    @Test func `a library that misreads heads cannot be used unless its layout shows them`() {
        for (valid, invalid, misread) in [
            // It passes on invalid heads, and has no layout, or one that does not show them.
            (head(isExact: false), head(isExact: false), "valid"),
            (head(isExact: true), head(isExact: true), "invalid"),
            // It does not pass on valid heads.
            (head(isExact: true, [:]), nil, "valid"), (nil, nil, "valid"),
        ] as [(RequestHead?, RequestHead?, String)] {
            #expect(throws: ServerError.unsuitableLibrary(version: "2", head: misread)) {
                try LibraryCheck(version: "2", valid: [("valid", valid)], invalid: [("invalid", invalid)])
            }
        }
    }

    @Test func `the error for an unsuitable library contains the head that it misreads`() {
        #expect(
            ServerError.unsuitableLibrary(version: "2", head: "GET\0\r\n").description
                == #"libmicrohttpd 2 is not supported: it misreads "GET\0\r\n""#
        )
    }
}
