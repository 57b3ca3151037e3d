@Suite(.fiveMinutes) struct ExplainCommandTests {
    let workplace = Workplace()

    static let log = [
        """
        Nov 26 09:32:14 node-a understudy[7]: {"time":"2026-11-26T09:32:13.900Z","level":"error","logger":"understudy",\
        "message":"The database is not available","error":"disk I/O error","page":"login","request":"boctixmaaaaaaat"}
        """,
        """
        {"time":"2026-11-26T09:32:13.952Z","level":"info","logger":"understudy.access","message":"Request","account":"1a2b3c4d",\
        "client":"192.0.2.7","code":"unavailable","codes":"login.wrongCredentials","database":20.5,"duration":100.25,\
        "event":"loginButtonPressed","hash":40,"method":"POST","page":"login","request":"boctixmaaaaaaat","session":"0bd47ec5",\
        "status":503,"wait":10}
        """,
        #"{"time":"2026-11-26T09:32:13.952Z","level":"info","message":"Request","request":"boctixmaaaaaaau","status":200}"#,
        "boctixmaaaaaaat, and no line of a log \u{9B}",
        """
        {"time":"2026-11-26T09:32:13.950Z","level":"info","logger":"understudy.audit","message":"Audit","event":"loginFailed",\
        "reason":"wrongPassword","request":"boctixmaaaaaaat"}
        """,
    ].text

    @Test func `an explanation contains what logs say about a request`() async throws {
        let result = try await workplace.run("explain boctixmaaaaaaat", input: Self.log).expect(status: 0)
        let explanation = try #require(Problem.Code(rawValue: "unavailable")).explanation
        #expect(
            result.output.text == """
                Request boctixmaaaaaaat
                  time      2026-11-26T09:32:13.952Z
                  request   POST, page 'login', event 'loginButtonPressed'
                  response  status 503
                  problem   unavailable
                            The service is not available
                            \(explanation)
                  message   login.wrongCredentials
                  client    192.0.2.7
                  session   0bd47ec5
                  account   1a2b3c4d
                  duration  100.25 ms: waiting for the session 10.0 ms, hashing 40.0 ms, the database 20.5 ms, the rest 29.75 ms
                  error     2026-11-26T09:32:13.900Z  The database is not available error=disk I/O error page=login
                  info      2026-11-26T09:32:13.950Z  Audit event=loginFailed reason=wrongPassword
                """
        )
    }

    @Test(arguments: [
        (#""code":"missingField","field":"a b","status":422"#, "  problem   missingField in the field 'a b'"),
        (#""method":"GET","path":"/metrics","port":"operators""#, "  port      operators"),
    ])
    func `an explanation names the field of a problem, and the port`(members: String, shown: String) async throws {
        let line = #"{"time":"2026-11-26T09:32:13.952Z","message":"Request","request":"a",\#(members)}"#
        let result = try await workplace.run("explain a", input: line)
        #expect(result.output.contains(shown), "\(result.output)")
    }

    @Test func `a line of three megabytes does not hide the one after it`() async throws {
        let line = #"{"time":"2026-11-26T09:32:13.952Z","message":"Request","request":"boctixmaaaaaaat","status":200}"#
        let file = try workplace.file("log", "x".repeated(3 << 20) + "\n\(line)\n")
        let result = try await workplace.run("explain boctixmaaaaaaat", file).expect(status: 0)
        #expect(result.output.contains("  response  status 200"))
    }

    @Test func `a compressed log is an error of its own`() async throws {
        let file = try workplace.file("log.gz", "\u{1F}\u{8B}\u{8}")
        try await workplace.run("explain boctixmaaaaaaat", file).expect(
            status: 66,
            errors: ["error: The log '\(file)' is compressed: decompress it first, such as with 'zcat'."]
        )
    }

    @Test(arguments: [("nope", "-"), ("boctix", "-"), ("a", "/nowhere.log")])
    func `an ID that no line contains, and a missing file, are errors`(id: String, file: String) async throws {
        let result = try await workplace.run("explain", id, file, input: Self.log)
        result.expect(error: "…", status: file == "-" ? 1 : 66, output: [])
    }
}
