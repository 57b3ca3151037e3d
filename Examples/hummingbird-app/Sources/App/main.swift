import Hummingbird

let rules = Rules()
let router = Router()
router.post("members") { request, context in
    let member = try await request.decode(as: Member.self, context: context)
    return EditedResponse(status: .created, response: try await member.checked(by: rules))
}
let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080)))
try await application.runService()
