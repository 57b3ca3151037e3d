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

    @Test func `a library needs a layout only if it passes on invalid heads, which the layout then shows`() throws {
        let passedOn = head(isExact: false, ["Host": "a", "X": "b\0c"])
        for (valid, invalid, isStrict) in [
            ([head(isExact: true), head(isExact: false)], passedOn, true),
            ([head(isExact: true)], head(isExact: false), false),
        ] {
            let check = try LibraryCheck(
                version: "2",
                valid: valid.map { ("valid", $0) },
                invalid: [("rejected", nil), ("passed on", invalid)],
                chunkSizes: [5, 1, 3]
            )
            #expect(check.isStrict == isStrict)
            #expect(check.hasChunkLayout == !isStrict)
        }
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
        let error = ServerError.unsuitableLibrary(version: "2", head: "GET\0\r\n")
        #expect("\(error)" == #"libmicrohttpd 2 is not supported: it misreads "GET\0\r\n""#)
    }
}
