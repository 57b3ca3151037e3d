import HTTPTestClient
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct SecondSignalTests {
    @Test(arguments: [SIGTERM, SIGINT], [SIGTERM, SIGINT])
    func `a second signal ends a server at once that waits for a request`(first: Int32, second: Int32) async throws {
        try await withServer("--drain", "50s") { program, port in
            let connection = try RawConnection(port: port)
            let head = "POST /email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"
            try await connection.send(head.utf8)
            #expect(try await connection.receive().status == 100)
            program.send(first)
            #expect(await program.errors.next(containing: "Stopping") != nil)
            program.send(second)
            let result = await program.result()
            #expect(result.status == nil)
            #expect(result.signal == second)
        }
    }
}
