import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImportTests {
    private static let hash =
        "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test func `accounts are imported from CSV`() async throws {
        let workplace = try Workplace()
        let file = try workplace.file(
            "a.csv",
            [
                "\u{FEFF}email,name,username,userID,contactEmail,password,passwordHash",
                #"a@example.com,"Wayne, ""Bruce""",batman,123456789012,c@example.com,\#(Workplace.password),"#,
                #"b@example.com,,,,,,"\#(Self.hash)""#,
            ].joined(separator: "\r\n")
        )
        let result = try await workplace.run("account", "import", file)
        #expect(result.status == 0)
        #expect(result.output == ["imported 2, rejected 0"])
        #expect(result.errors == [])
        let json = try await workplace.run("account", "list", "--json").output
        #expect(json.first?.contains(#""email":"b@example.com""#) == true)
        #expect(json.first?.contains(#""name":"b@example.com""#) == true)
        #expect(json.last?.contains(#""contactEmail":"c@example.com""#) == true)
        #expect(json.last?.contains(#""name":"Wayne, \"Bruce\"""#) == true)
        #expect(try workplace.text("audit.jsonl").split(separator: "\n").count == 2)
    }

    @Test func `accounts are imported from JSON Lines on standard input`() async throws {
        let workplace = try Workplace()
        let lines = """
            {"email":"a@example.com","password":"\(Workplace.password)","name":null}

            {"email":"b@example.com","passwordHash":"\(Self.hash)","name":"B\\u0000"}
            """
        let result = try await workplace.run("account", "import", "-", "--format", "jsonl", input: lines)
        #expect(result.output == ["imported 2, rejected 0"])
        let json = try await workplace.run("account", "list", "--json").output
        #expect(json.last?.contains(#""name":"B\u0000""#) == true)
    }

    @Test func `a rejected line is reported, and its batch is left out`() async throws {
        let workplace = try Workplace()
        try await workplace.add("taken@example.com", "--user-id", "123456789012")
        let file = try workplace.file(
            "a.csv",
            """
            email,username,userID,password,passwordHash
            a@example.com,,,,"\(Self.hash)"
            b@example.com,,,,"\(Self.hash)"
            TAKEN@example.com,,,,"\(Self.hash)"
            c@example.com,,,,"\(Self.hash)"
            d@example.com,TAKEN@example.com,,,"\(Self.hash)"
            e@example.com,,123456789012,,"\(Self.hash)"
            f@example.com,,,,"\(Self.hash)"
            F@example.com,,,,"\(Self.hash)"
            nobody,,,,"\(Self.hash)"
            g@example.com,,,,
            h@example.com,,,short,
            i@example.com,,,,$2b$12$x
            j@example.com,,,\(Workplace.password),"\(Self.hash)"
            k@example.com
            """
        )
        let result = try await workplace.run("account", "import", file, "--batch", "2")
        #expect(result.status == 1)
        #expect(
            result.errors == [
                "line 4: another account has this email address",
                "lines 4 to 5: not imported, because a line of this batch was rejected",
                "line 6: another account has this username",
                "line 7: another account has this user ID",
                "line 9: another account has this email address",
                "lines 8 to 9: not imported, because a line of this batch was rejected",
                "line 10: 'nobody' is not an email address",
                "line 11: password or passwordHash is required",
                "line 12: the password needs at least 15 characters",
                "line 13: the passwordHash cannot be used: the hash is not of bcrypt, PBKDF2, scrypt, Argon2i or Argon2id in a form that is supported",
                "line 14: password and passwordHash exclude each other",
                "line 15: expected 5 fields, but there are 1",
            ]
        )
        #expect(result.output == ["imported 2, rejected 10, left out 2"])
        let list = try await workplace.run("account", "list").output.dropFirst().map { $0.prefix { $0 != " " } }
        #expect(list == ["a@example.com", "b@example.com", "taken@example.com"])
    }

    @Test func `without the policy, any password is accepted that is not too long`() async throws {
        let workplace = try Workplace()
        let long = String(repeating: "x", count: 1025)
        let file = try workplace.file(
            "a.csv",
            "email,password,name\na@example.com,a,A\nb@example.com,,\nc@example.com,\(long),C\nd@example.com,d,\(long)\n"
        )
        let result = try await workplace.run("account", "import", file, "--no-policy", "--batch", "1")
        #expect(result.status == 1)
        #expect(result.output == ["imported 1, rejected 3"])
        #expect(
            result.errors.suffix(2) == [
                "line 4: the password has 1025 characters; at most 1024 are allowed",
                "line 5: the name has 1025 characters; at most 256 are allowed",
            ]
        )
    }

    @Test func `a file with an invalid header is one line of error`() async throws {
        let workplace = try Workplace()
        let file = try workplace.file("a.csv", "email,surname\n")
        let result = try await workplace.run("products", "import", file)
        #expect(result.status == 1)
        #expect(
            result.errors == [
                "error: line 1: unknown column 'email'; the columns may be name, description, image"
            ]
        )
    }

    @Test func `a file that cannot be read is one line of error`() async throws {
        let workplace = try Workplace()
        let missing = try await workplace.run("products", "import", "/no/such.csv")
        #expect(missing.status == 1)
        #expect(missing.errors == ["error: The file '/no/such.csv' cannot be read: No such file or directory."])
        let folder = try await workplace.run("products", "import", "/tmp", "--format", "csv")
        #expect(folder.errors == ["error: '/tmp' is a folder; a file is expected."])
    }

    @Test func `products are imported from both formats, and replace those with the same name`() async throws {
        let workplace = try Workplace()
        let lines = try workplace.file("p.jsonl", #"{"name":"Cape","image":"cape.png"}"#)
        #expect(try await workplace.run("products", "import", lines).output == ["imported 1, rejected 0"])
        #expect(try workplace.text("audit.jsonl").contains(#""event":"productsImported","reason":"1","operator":""#))
        let table = try workplace.file("p.csv", "name,description\nCape,Long\n,Short\n")
        let result = try await workplace.run("products", "import", table, "--batch", "1")
        #expect(result.errors == ["line 3: the name is missing"])
        #expect(result.output == ["imported 1, rejected 1"])
    }
}
