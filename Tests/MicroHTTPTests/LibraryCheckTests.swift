import Testing

import HTTPMessages
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

    @Test func `a library that accepts invalid heads and has no layout cannot be used`() {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "valid")) {
            try LibraryCheck(
                version: "2",
                valid: [("valid", head(isExact: false))],
                invalid: [("rejected", nil), ("invalid", head(isExact: false))]
            )
        }
    }

    @Test func `a library whose layout does not show invalid heads cannot be used`() {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "invalid")) {
            try LibraryCheck(
                version: "2",
                valid: [("valid", head(isExact: true))],
                invalid: [("invalid", head(isExact: true))]
            )
        }
    }

    @Test(arguments: [true, false])
    func `a library that does not pass on valid heads cannot be used`(isPassedOn: Bool) {
        #expect(throws: ServerError.unsuitableLibrary(version: "2", head: "valid")) {
            let passedOn = isPassedOn ? head(isExact: true, [:]) : nil
            return try LibraryCheck(version: "2", valid: [("valid", passedOn)], invalid: [])
        }
    }

    @Test func `the error for an unsuitable library contains the head that it misreads`() {
        #expect(
            ServerError.unsuitableLibrary(version: "2", head: "GET\0\r\n").description
                == #"libmicrohttpd 2 is not supported: it misreads "GET\0\r\n""#
        )
    }
}
