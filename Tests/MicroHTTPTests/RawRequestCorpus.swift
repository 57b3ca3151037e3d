/// Requests of every kind, valid and invalid. Sections are of RFC 9112 unless another RFC is named. `RequestHeadTests` and `ChunkLineTests` have
/// the parts of a request that libmicrohttpd passes on as they were sent.
///
/// `own` marks requests for which the RFC allows more than this server accepts, or for which libmicrohttpd 0.9.75 does not follow the RFC.
enum RawRequestCorpus {
    static let all =
        requestLines + versions + lineEnds + targets + absoluteTargets + hosts + headerNames + headerValues + folding
        + lengths + codings + chunks + connections

    static let requestLines: [RawRequest] = [
        .line("3", "GET / HTTP/1.1", .accepted()),
        .line("3.1", "M-SEARCH!#$%&'*+.^_`|~ / HTTP/1.1", .accepted()),
        .line("3.1", "get / HTTP/1.1", .accepted()),
        .line("3.1", "GE(T / HTTP/1.1"),
        .line("3.1", "G\0T / HTTP/1.1", from10: .dropped),
        .line("3.1", " / HTTP/1.1", .dropped),
        .line("3", "GET  / HTTP/1.1"),
        .line("3", "GET /  HTTP/1.1"),
        .line("3", "GET / HTTP/1.1 "),
        .line("3", " GET / HTTP/1.1", .dropped),
        .line("3", "GET\t/ HTTP/1.1", .dropped),
        .line("3", "GET /\tHTTP/1.1"),
        .line("3", "GET /\u{B}HTTP/1.1", from10: .dropped),
        .line("3", "GET /a b HTTP/1.1"),
        .line("3", "GET  HTTP/1.1"),
        .line("3", "GET HTTP/1.1"),
        .line("3", "GET", .dropped),
        .line("3", "GET / HTTP/1.1 GET / HTTP/1.1"),
        RawRequest("3", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n", .dropped),
        RawRequest("2.2", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .accepted()),
        RawRequest("2.2", "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .accepted(), from10: .dropped),
        RawRequest("2.2", " \r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .dropped),
        RawRequest("2.2", "\0GET / HTTP/1.1\r\nHost: a\r\n\r\n", from10: .dropped),
        RawRequest("2.2", "\u{EF}\u{BB}\u{BF}GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    static let versions: [RawRequest] = [
        .line("2.3", "GET / HTTP/1.0", .last()),
        RawRequest("2.3", "GET / HTTP/1.0\r\n\r\n", .last()),
        .line("own; RFC 9110, 2.5", "GET / HTTP/1.2", .rejected(505)),
        .line("RFC 9110, 15.6.6", "GET / HTTP/2.0", .rejected(505)),
        .line("RFC 9110, 15.6.6", "PRI * HTTP/2.0", .rejected(505)),
        .line("RFC 9110, 15.6.6", "GET / HTTP/0.9", .rejected(505)),
        .line("2.3", "GET / http/1.1"),
        .line("2.3", "GET / Http/1.1"),
        .line("2.3", "GET / HTTP/1.10"),
        .line("2.3", "GET / HTTP/01.1"),
        .line("2.3", "GET / HTTP/1."),
        .line("2.3", "GET / HTTP/1"),
        .line("2.3", "GET / HTTP/1,1"),
        .line("2.3", "GET / HTTP /1.1"),
        .line("2.3", "GET / HTTPS/1.1"),
        .line("2.3", "GET / ICY/1.1"),
        .line("2.3", "GET / HTTP/1.1\0", from10: .dropped),
        .line("2.3", "GET /", .dropped),
    ]

    static let lineEnds: [RawRequest] = [
        RawRequest("own; 2.2", "GET / HTTP/1.1\nHost: a\n\n"),
        RawRequest("own; 2.2", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        RawRequest("own; 2.2", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"),
        RawRequest("own; 2.2", "GET / HTTP/1.1\r\nHost: a\r\nX: b\n\r\n"),
        RawRequest("own; 2.2", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        RawRequest("2.2", "GET / HTTP/1.1\rHost: a\r\r", .dropped),
        RawRequest("2.2", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\n\r\nHost: a\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\n\tX: b\r\nHost: a\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n"),
        RawRequest("2.2", "GET / HTTP/1.1\r\n\0\r\nHost: a\r\n\r\n"),
    ]

    static let targets: [RawRequest] = [
        .target("3.2.1", "/a/b", .accepted("/a/b")),
        .target("3.2.1", "/?", .accepted("/?")),
        .target("3.2.1", "/?a=b?c=d&e", .accepted("/?a=b?c=d&e")),
        .target("3.2.1", "/a?b=c&d=%26&e&=f", .accepted("/a?b=c&d=%26&e&=f")),
        .target("3.2.1", "/a%20b%01c/%2e%2e/d?e=%20+f", .accepted("/a%20b%01c/%2e%2e/d?e=%20+f")),
        .target("3.2.1", "/../a/./b", .accepted("/../a/./b")),
        .target("3.2.1", "/%0d%0aX:%20b", .accepted("/%0d%0aX:%20b")),
        .target("own; RFC 3986, 3.3", "/a|b\"c<d>e^f`g{h}i\\j[k]", .accepted("/a|b\"c<d>e^f`g{h}i\\j[k]")),
        .target("own; RFC 3986, 2.1", "/%zz%", .accepted("/%zz%")),
        .target("own; RFC 3986, 7.3", "/a%00b"),
        .target("3.2", "/a#b"),
        .target("3.2", "/a\tb"),
        .target("3.2", "/a\0b", from10: .dropped),
        .target("3.2", "/a?b\0c", from10: .dropped),
        .line("3.2.4", "OPTIONS * HTTP/1.1", .accepted("*")),
        .line("3.2.4", "OPTIONS /a HTTP/1.1", .accepted("/a")),
        .target("3", "/" + "a".repeated(2047), .accepted("/" + "a".repeated(2047))),
        .target("3", "/" + "a".repeated(2048), .rejected(414)),
    ]

    static let absoluteTargets: [RawRequest] = [
        .target("3.2.2", "http://a/b?c", .accepted("/b?c")),
        .target("3.2.2", "https://a/b", .accepted("/b")),
        .target("3.2.2; 3.2.1", "http://a", .accepted("/")),
        .target("3.2.2; 3.2.1", "http://a?b", .accepted("/?b")),
        .target("3.2.2", "http://a//b", .accepted("//b")),
        RawRequest("3.2.2", "GET http://[::1]/%2e%2e HTTP/1.1\r\nHost: [::1] \r\n\r\n", .accepted("/%2e%2e")),
        .line("3.2.4", "OPTIONS http://a HTTP/1.1", .accepted("*")),
        .line("3.2.4", "OPTIONS http://a/ HTTP/1.1", .accepted("/")),
        RawRequest("3.2.2", "GET http://a/b HTTP/1.0\r\n\r\n", .last("/b")),
        .target("own; 3.2.2", "http://a:80/"),
    ]

    static let hosts: [RawRequest] = [
        .host("3.2", "\ta\t", .accepted()),
        .host("3.2; RFC 9110, 4.2.1", ""),
        .host("3.2; RFC 9110, 4.2.1", " :80"),
        RawRequest("3.2", "GET / HTTP/1.1\r\n\r\n"),
        RawRequest("3.2", "GET / HTTP/1.1\r\nX: Host: a\r\n\r\n"),
        .header("3.2", "Host: a"),
        .header("3.2", "host: b"),
        RawRequest("3.2", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        .host("3.2", " a\0b"),
    ]

    static let headerNames: [RawRequest] = [
        .header("RFC 9110, 5.1", "!#$%&'*+-.^_`|~09aZ: b", .accepted()),
        .header("RFC 9110, 5.3", "Content-Type: a/b\r\nContent-Type: a/b"),
        .header("5.1", "X : b"),
        .header("5.1", "X\t: b"),
        .header("5.1", "Content-Length : 5"),
        .header("5.1", "Transfer-Encoding : chunked"),
        .header("5", ": b"),
        .header("5", "no colon"),
        .header("5", "X"),
        .header("5", "X\0: b"),
        .header("5", "\0X: b"),
        .header("5", "\0"),
        .header("5", "\u{B}X: b"),
        .header("5", "GET / HTTP/1.1"),
    ]

    static let headerValues: [RawRequest] = [
        .header("5.1", "X:b", .accepted()),
        .header("5.1", "X:", .accepted()),
        .header("5.1", "X: \t b \t ", .accepted()),
        .header("5.1", "X:\r\nY: \r\nZ: \t", .accepted()),
        .header("RFC 9110, 5.3", "Cookie: a=b; c=d; e\r\nCookie: f=g", .accepted()),
        .header("RFC 9110, 5.5", "X: b: c, \"d\"; (e)", .accepted()),
        .header("RFC 9110, 5.5", "X: \u{80}\u{FC}\u{FF}", .accepted()),
        .header("RFC 9110, 5.5", "X: b\0c"),
        .header("RFC 9110, 5.5", "X: b\0"),
        .header("RFC 9110, 5.5", "X: \0"),
        .header("RFC 9110, 5.5", "X: b\rc"),
        .header("own; RFC 9110, 5.5", "X: b\u{1}c"),
        .header("own; RFC 9110, 5.5", "X: \u{B}b"),
        .header("RFC 9110, 5.4", "X: " + "b".repeated(6138), .accepted()),
        .header("RFC 6585, 5", "X: " + "b".repeated(6139), .rejected(431)),
    ]

    static let folding: [RawRequest] = [
        .header("5.2", "X: b\r\n c"),
        .header("5.2", "X: b\r\n\tc"),
        .header("5.2", "X:\r\n b"),
        .header("5.2", "X: b\r\n "),
        .header("5.2", "Content-Length:\r\n 5"),
        .header("5.2", "Transfer-Encoding:\r\n chunked"),
    ]

    static let lengths: [RawRequest] = [
        .body("6.2", "Content-Length: 2", "{}", .accepted(body: "{}")),
        .body("6.2", "content-length:2", "{}", .accepted(body: "{}")),
        .body("6.2", "Content-Length: 0", "", .accepted()),
        .body("6.2", "Content-Length: 0002", "{}", .accepted(body: "{}")),
        .body("6.3", "X: no length", "", .accepted()),
        .header("6.3", "Content-Length: 0", .accepted()),
        .body("own; 6.3", "Content-Length: 2\r\nContent-Length: 2", "{}"),
        .body("6.3", "Content-Length: 2\r\nContent-Length: 3", "{}"),
        .body("6.3", "Content-Length: 0\r\nContent-Length: 44", ""),
        .body("6.3", "Content-Length: 2, 3", "{}"),
        .body("6.3", "Content-Length: 0x2", "{}"),
        .body("6.3", "Content-Length: 2.0", "{}"),
        .body("6.3", "Content-Length: 2 2", "{}"),
        .body("6.3", "Content-Length: \u{B2}", "{}"),
        .body("6.3", "Content-Length: 2\0", "{}"),
        .body("own; 5.1", "Content-Length: 2 ", "{}", from10: .accepted(body: "{}")),
        .body("own; 6.2", "Content-Length: 0000000000000000002", "{}"),
        .body("RFC 9110, 15.5.14", "Content-Length: 65537", "", .rejected(413)),
        .body("RFC 9110, 15.5.14", "Content-Length: 999999999999999999", "", .rejected(413)),
        .body("RFC 9110, 8.6", "Content-Length: 18446744073709551618", "{}", .rejected(413)),
    ]

    static let codings: [RawRequest] = [
        .body("6.1", "Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n", .last(body: "{}")),
        .body("7", "transfer-encoding:CHUNKED", "2\r\n{}\r\n0\r\n\r\n", .last(body: "{}")),
        .body("6.1", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", .rejected(501)),
        .body("RFC 9110, 5.5", "Transfer-Encoding: \u{B}chunked", "0\r\n\r\n"),
        .body("RFC 9110, 5.5", "Transfer-Encoding: chunked\0", "0\r\n\r\n"),
        .body("own; 5.1", "Transfer-Encoding: chunked ", "0\r\n\r\n", from10: .last()),
        .body("own; 6.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        .body("own; 6.3", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        .body("own; 6.3", "Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
        .header("own; 6.3", "Transfer-Encoding: chunked\r\nContent-Length: 0"),
        RawRequest("6.1", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        RawRequest("6.1", "POST / HTTP/1.0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    ]

    static let chunks: [RawRequest] = [
        .chunks("7.1", "0\r\n\r\n", .last()),
        .chunks("7.1", "1\r\na\r\n1\r\nb\r\n0\r\n\r\n", .last(body: "ab")),
        .chunks("7.1", "a\r\n0123456789\r\n0\r\n\r\n", .last(body: "0123456789")),
        .chunks("7.1", "00A\r\n0123456789\r\n0\r\n\r\n", .last(body: "0123456789")),
        .chunks("7.1", "4\r\n\r\n\r\n\r\n0\r\n\r\n", .last(body: "\r\n\r\n")),
        .chunks("7.1.1", "2;a=b\r\n{}\r\n0;c\r\n\r\n", .last(body: "{}"), from10: .rejected(400)),
        .chunks("7.1.1", "2;a=\"b;c\"\r\n{}\r\n0\r\n\r\n", .last(body: "{}"), from10: .rejected(400)),
        .chunks("7.1.2", "2\r\n{}\r\n0\r\nX: b\r\n\r\n", .last(body: "{}")),
        .chunks("7.1", "0x2\r\n{}\r\n0\r\n\r\n"),
        .chunks("7.1", "\r\n{}\r\n0\r\n\r\n"),
        .chunks("7.1", "2\r\n{}}\r\n0\r\n\r\n"),
        .chunks("7.1", "1\r\n{}\r\n0\r\n\r\n"),
        .chunks("7.1", "2\r\n{}0\r\n\r\n"),
        .chunks("7.1", "10000000000000000\r\n{}\r\n0\r\n\r\n", .rejected(413)),
        .chunks("7.1", "2\n{}\n0\n\n"),
        .chunks("7.1.1", "2;\0\r\n{}\r\n0\r\n\r\n"),
        .chunks("7.1.1", "2;a=\"b\r\n{}\r\n0\r\n\r\n"),
        // libmicrohttpd 0.9 passes on no byte of a body for these lines, so that the server never sees them.
        .chunks("own; 7.1", "2;a\r\n{\r\n0\r\n\r\n", .last(body: "{\r"), from10: .rejected(400)),
        .chunks("own; 7.1.1", "2\r\n{}\r\n0;\r\n\r\n", .last(body: "{}"), from10: .rejected(400)),
        .chunks("7.1.2", "2\r\n{}\r\n0\r\nX\0: b\r\n\r\n"),
        .chunks("7.1.2", "2\r\n{}\r\n0\r\nno colon\r\n\r\n"),
        .chunks("7.1", "2\r{}\r\n0\r\n\r\n"),
    ]

    static let connections: [RawRequest] = [
        .header("9.6", "Connection: close", .last()),
        .header("9.6; 5.1", "Connection: close ", .last()),
        .header("9.6", "Connection: Close", .last()),
        .header("9.6", "Connection: X, close", .last()),
        .header("9.3", "Connection: keep-alive", .accepted()),
        RawRequest("9.3", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", .accepted()),
        .header("RFC 9110, 7.8", "Upgrade: h2c\r\nConnection: upgrade", .accepted()),
        .body("RFC 9110, 10.1.1", "Content-Length: 2\r\nExpect: 100-continue", "{}", .accepted(body: "{}")),
        .header("own; RFC 9110, 10.1.1", "Expect: 100-continue", .last(), from10: .accepted()),
        .body("own; RFC 9110, 10.1.1", "Content-Length: 0\r\nExpect: 100-continue", "", .last(), from10: .accepted()),
        .body("RFC 9110, 10.1.1", "Transfer-Encoding: chunked\r\nExpect: 100-continue", "0\r\n\r\n", .last()),
    ]
}
