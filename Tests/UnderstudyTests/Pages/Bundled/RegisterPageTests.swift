import BundledControllers
import BundledPages
import BusinessLogic
import Testing

@testable import Understudy

@Suite struct RegisterPageTests {
    private static let events = #"""
        [{"event":"textFieldDidEndEditing","default":true,"reads":["userID"],"secret":[]}]
        """#

    @Test(arguments: Transport.allCases)
    func `a user ID is cleaned, and an error shown where it is none`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.bundled())) { client in
            try expect(
                await client.get("/register"),
                is: #"""
                    {"page":"register","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            try expect(
                await client.post("/register", #"{"userID":" 012345\n678912\t"}"#),
                is: #"""
                    {"sequence":2,"commands":[
                      {"sequence":1,"page":"register","command":"render","key":"userID","value":"012345678912"},
                      {"sequence":2,"page":"register","command":"render","key":"errorMessage","value":null}]}
                    """#
            )
            try expect(
                await client.get("/register"),
                is: #"""
                    {"page":"register","sequence":2,"rendered":{"userID":"012345678912","errorMessage":null},
                     "alert":null,"goToPage":null,"values":{"userID":" 012345\n678912\t"},
                     "events":\#(Self.events)}
                    """#
            )
            try expect(
                await client.post("/register", form: "userID=01234567891"),
                is: #"""
                    {"sequence":4,"commands":[
                      {"sequence":3,"page":"register","command":"render","key":"userID","value":null},
                      {"sequence":4,"page":"register","command":"render","key":"errorMessage",
                       "value":"A user ID has exactly twelve digits","code":"registration.invalidUserID",
                       "parameters":{"digits":12}}]}
                    """#
            )
            try expect(
                await client.get("/register"),
                is: #"""
                    {"page":"register","sequence":4,
                     "rendered":{"userID":null,"errorMessage":"A user ID has exactly twelve digits"},
                     "alert":null,"goToPage":null,"values":{"userID":"01234567891"},"events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: [#""""#, "null", #""0123456789123""#, #""٠١٢٣٤٥٦٧٨٩١٢""#, #""01234567891x""#])
    func `anything but twelve digits is invalid`(userID: String) async throws {
        let client = TestClient(UnderstudyService(pages: Page.bundled()))
        let answer = try await client.post("/register", #"{"userID":\#(userID)}"#)
        #expect(
            try answer["commands"]?.array?.map { $0.object?["value"] } == [
                .null, "A user ID has exactly twelve digits",
            ]
        )
    }
}
