import UnderstudySessions

struct SealedResponseTests {
    @Test(arguments: [
        #"{"nonce":[],"box":[]}"#, #"{"nonce":[1],"box":[1,2,3]}"#,
        #"{"nonce":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"box":[1]}"#,
    ])
    func `a damaged response is opened by no token`(json: String) throws {
        let response = try #require(SealedResponse(json: Array(json.utf8)))
        #expect(throws: SealedResponse.Mismatch.otherKey) { try response.open(token: .random(), key: "a", request: []) }
    }
}
