@testable import MicroHTTP

struct RequestHeadTests {
    /// A head with its description.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let head: RequestHead

        /// POST /login on HTTP/1.1 for host a, except for the given parts.
        init(
            _ description: String,
            method: Method = "POST",
            target: String = "/login",
            version: RequestHead.Version = .http11,
            isExact: Bool = true,
            headers: KeyValuePairs<String, String> = ["Host": "a"]
        ) {
            testDescription = description
            head = RequestHead(
                method: method,
                target: target,
                version: version,
                isExact: isExact,
                headers: Headers(unchecked: headers)
            )
        }

        /// The same with one more field.
        init(_ description: String, with name: String, _ value: String) {
            self.init(description, headers: ["Host": "a", name: value])
        }

        func framing(
            _ configure: (inout ServerConfiguration) -> Void = { _ in }
        ) -> Result<RequestHead.Framing, RequestRejection> {
            var configuration = ServerConfiguration()
            configure(&configuration)
            let limits = RequestLimits(configuration)
            return Result { () throws(RequestRejection) in try head.framing(limits: limits) }
        }

        /// Why the head is malformed, if it is.
        func fault(_ configure: (inout ServerConfiguration) -> Void = { _ in }) -> String? {
            if case .failure(.malformedRequest(let detail)) = framing(configure) { detail } else { nil }
        }
    }

    // MARK: Accepted

    @Test(arguments: [
        Case("no body"),
        Case("GET", method: "GET"),
        Case("a method that is not standard", method: "M-SEARCH!#$%&'*+.^_`|~"),
        Case("HTTP/1.0", version: .http10),
        Case("HTTP/1.0 without a host", version: .http10, headers: [:]),
        Case("an empty host for the server itself", method: "OPTIONS", target: "*", headers: ["Host": ""]),
        Case("a host and a port", headers: ["Host": "a.example:8080"]),
        Case("a host and an empty port", headers: ["Host": "a:"]),
        Case("every byte of a host", headers: ["Host": "aA0-._~!$&'()*+,;=%C3%BC"]),
        Case("an IPv4 address", headers: ["Host": "127.0.0.1:80"]),
        Case("an IPv6 address", headers: ["Host": "[::ffff:127.0.0.1]"]),
        Case("an IPv6 address and a port", headers: ["Host": "[::1]:80"]),
        Case("a query", target: "/login?a=b&c=%20"),
        Case("an asterisk", method: "OPTIONS", target: "*"),
        Case("an absolute target", target: "http://a/login"),
        Case("an absolute target in capitals", target: "HTTP://A/login"),
        Case("an absolute target by https", target: "https://a:443?b", headers: ["Host": "a:443"]),
        Case("an absolute target on HTTP/1.0 without a host", target: "http://a/login", version: .http10, headers: [:]),
        Case("escapes", target: "/%0%20%%2500%zz"),
        Case("every visible byte", target: "/!\"$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"),
        Case("a tab in a value", with: "X", "b\tc"),
        Case("UTF-8 in a value", with: "X", "ü"),
        Case("several fields of one name", headers: ["Host": "a", "X": "1", "X": "2"]),
        Case("a length of 0", with: "Content-Length", "0"),
        Case("a length of many zeros", with: "Content-Length", "000000000000000000"),
    ])
    func `a head without a body is accepted`(head: Case) { #expect(head.framing() == .success(.none)) }

    @Test(arguments: [("1", 1), ("17", 17), ("0017", 17), ("65536", 65536)])
    func `a length is accepted`(value: String, length: Int) {
        #expect(Case(value, with: "Content-Length", value).framing() == .success(.length(length)))
    }

    @Test(arguments: ["chunked", "Chunked", "CHUNKED"])
    func `a chunked body is accepted on HTTP 1_1`(value: String) {
        #expect(Case(value, with: "Transfer-Encoding", value).framing() == .success(.chunked))
    }

    // MARK: Malformed

    static let malformedHosts: [Case] = [
        "a b", "a, b", "a/b", "a?b", "a#b", "\"a\"", "a\\b", "a[b]", "a%C", "a%CGb", "user@a", "http://a", "a:b",
        "a:1:2", "a:+80", "::1", "[::1", "[::1]a", "[]", "[fe80::1%25a]", "\u{FC}",
    ].map { Case("the host \($0)", headers: ["Host": $0]) }

    static let malformedTargets: [Case] = [
        "", "a", "?a=b", "\\a", "a:443", "*", "*/", "/log in", "/log\u{1}in", "/a\u{7F}", "/\u{FC}", "/a#b", "/?#",
        "/a%00b", "/a?b=%00", "http:", "http:/b", "http:///b", "ftp://a/", "http\u{17F}://a/login", "http://ab/",
        "http://user@a/", "http://a@b/login", "http://a\\@b/", "http://a/b#c",
    ].map { Case("the target \($0)", target: $0) }

    static let malformedMethods: [Case] = ["", "GE(T", "GE T", "GE\"T", "GE\u{1}T", "GÉT"].map {
        Case("the method \($0)", method: Method(rawValue: $0))
    }

    static let malformedCodings: [Case] = [
        "", "gzip", "identity", "xchunked", "chunked, gzip", "chunked, identity", "chunked, chunked", "chunked,",
        "chunked, gzip, chunked", ", chunked", "\"chunked\"", "chunked;a=b", "chun\u{212A}ed",
    ].map { Case("the coding \($0)", with: "Transfer-Encoding", $0) }

    static let malformedLengths: [Case] = ["\u{0662}", "99999999999999999999"].map {
        Case("the length \($0)", with: "Content-Length", $0)
    }

    static let repeatedFields: [Case] = [
        "Content-Type", "Authorization", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest",
        "Sec-Fetch-User", "Idempotency-Key", "Device-Token", "Session-User", "Last-Event-ID",
    ].map { Case("two fields \($0)", headers: ["Host": "a", $0: "b", "X": "c", $0.lowercased(): "d"]) }

    static let others = [
        Case("no host but others", headers: ["Hos": "a", "Hostt": "a"]),
        Case("an empty host on HTTP/1.0", version: .http10, headers: ["Host": ""]),
        Case("an empty host and an absolute target", target: "http://a/login", headers: ["Host": ""]),
        Case("a malformed host on HTTP/1.0", version: .http10, headers: ["Host": "a b"]),
        Case("other bytes in the head", isExact: false),
        Case("an asterisk and more", method: "OPTIONS", target: "**"),
        Case("CONNECT", method: "CONNECT", target: "/"),
        Case("CONNECT to an absolute target", method: "CONNECT", target: "http://a/"),
        Case("only a port in the target", target: "http://:80/login", headers: ["Host": ":80"]),
        Case("an absolute target without a host", target: "http://a/login", headers: [:]),
        Case("a malformed authority on HTTP/1.0", target: "http://user@a/login", version: .http10, headers: [:]),
        Case("a scheme and slashes", target: "http://", headers: ["Host": ""]),
        Case("a name with a space", with: "X Y", "b"),
        Case("a value with a NUL", with: "X", "b\0c"),
        Case("a length over the limit without a host", headers: ["Content-Length": "999999999999999999"]),
        Case("two codings", headers: ["Host": "a", "Transfer-Encoding": "chunked", "Transfer-Encoding": "chunked"]),
    ]

    /// `RawRequestCorpus` sends some of them over a socket, with what libmicrohttpd reads itself. `HeadersTests` have every byte of a field.
    @Test(
        arguments: [
            malformedHosts, malformedTargets, malformedMethods, malformedCodings, malformedLengths, repeatedFields,
            others,
        ].flatMap(\.self)
    )
    func `a head is malformed`(head: Case) { #expect(head.fault()?.hasSuffix(".") == true, "the detail is a sentence") }

    // MARK: Combining marks

    static let marks = "\u{301}".repeated(3 * 1024)

    @Test(arguments: [
        Case("in the method", method: Method(rawValue: "POST" + marks)),
        Case("in the target", target: "/login" + marks),
        Case("in the scheme", target: "http" + marks + "://a/"),
        Case("after the scheme", target: "http:" + marks + "//a/"),
        Case("in the authority", target: "http://a" + marks + "/"),
        Case("as the target", target: marks),
        Case("in the host", headers: ["Host": "a" + marks]),
        Case("as the host", headers: ["Host": marks]),
        Case("in the length", with: "Content-Length", "2" + marks),
        Case("in the coding", with: "Transfer-Encoding", "chunked" + marks),
        Case("in a name", with: "X" + marks, "b"),
    ])
    func `a head with combining marks where only ASCII belongs is malformed`(head: Case) {
        #expect(head.fault { ($0.maximumTargetSize, $0.maximumHeaderSize) = (16 * 1024, 16 * 1024) } != nil)
    }

    // MARK: Not supported

    @Test(arguments: ["gzip, chunked", "gzip,chunked", "gzip \t,\t chunked", "identity, Chunked", "a, b;c=d, CHUNKED"])
    func `a coding before chunked is not supported`(codings: String) {
        #expect(Case(codings, with: "Transfer-Encoding", codings).framing() == .failure(.unsupportedTransferCoding))
    }

    @Test func `a version other than HTTP 1_0 and HTTP 1_1 is not supported`() {
        let heads = [Case("with a host", version: .other), Case("without a host", version: .other, headers: [:])]
        for head in heads { #expect(head.framing() == .failure(.unsupportedHTTPVersion)) }
    }

    // MARK: Too large

    @Test(
        arguments: [
            (Case("a target at the limit", target: "/123456789"), nil),
            (Case("a target over the limit", target: "/1234567890"), .targetTooLong(limit: 10)),
            (Case("a method of 32 bytes", method: Method(rawValue: "M".repeated(32))), nil),
            (
                Case("a longer method", method: Method(rawValue: "M".repeated(33))),
                .malformedRequest("The method must be a token of at most 32 bytes.")
            ),
            (Case("headers at the limit", with: "X", "1234"), nil),
            (Case("headers over the limit", with: "X", "12345"), .headersTooLarge(limit: 10)),
        ] as [(Case, RequestRejection?)]
    )
    func `a target and a header section have their limits`(head: Case, rejection: RequestRejection?) {
        let framing = head.framing { ($0.maximumTargetSize, $0.maximumHeaderSize) = (10, 10) }
        #expect(framing == rejection.map { .failure($0) } ?? .success(.none))
    }

    @Test(arguments: [("0", 0, true), ("1", 0, false), ("65537", 65536, false), ("999999999999999999", 65536, false)])
    func `a length over the limit is rejected with the limit`(length: String, limit: Int, isAccepted: Bool) {
        let framing = Case(length, with: "Content-Length", length).framing { $0.maximumBodySize = limit }
        #expect(framing == (isAccepted ? .success(.none) : .failure(.bodyTooLarge(limit: limit))))
    }
}
