import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /validate`: the rules alone, without a session and without a trace.
    func validate(_ request: Request) throws -> Response {
        let checks = try ValidationCheck.all(in: request)
        return .json(["results": .array(checks.map { $0.result(configuration) })])
    }
}

/// A value that is to be held against a rule.
struct ValidationCheck {
    /// The rules that there are.
    enum Rule: String, CaseIterable {
        case userID, email, password

        /// The rule of a name, which a client may choose freely.
        init?(named name: String) {
            guard let rule = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
            self = rule
        }

        /// The most Unicode code points that a value may have.
        var maximumLength: Int {
            switch self {
            case .userID, .password: Field.usualMaximumLength
            case .email: 254
            }
        }
    }

    let rule: Rule
    let value: String

    /// How many there may be in one request.
    static let limit = 1000

    /// The checks that a request asks for.
    ///
    /// - Throws: ``Problem``.
    static func all(in request: Request) throws(Problem) -> [ValidationCheck] {
        guard let body = try Submission.jsonObject(request), let checks = body["checks"]?.array, body.count == 1 else {
            throw malformed("The body must be an object with one member: 'checks', an array.", at: "/checks")
        }
        guard checks.count <= limit else {
            throw malformed("There may be \(limit) checks in a request.", at: "/checks/\(limit)")
        }
        var all: [ValidationCheck] = []
        for (index, check) in checks.enumerated() { all.append(try ValidationCheck(check, at: "/checks/\(index)")) }
        return all
    }

    private init(_ check: Value, at pointer: String) throws(Problem) {
        guard let object = check.object, object.count == 2, let name = object["rule"]?.string else {
            throw Self.malformed("A check has a rule, which is a string, and a value.", at: pointer)
        }
        guard let value = object["value"], value == .null || value.string != nil else {
            throw Self.malformed("The value to check is a string or null.", at: pointer + "/value")
        }
        guard let rule = Rule(named: name) else {
            throw Problem(
                .unknownRule,
                "There is no rule '\(name.clipped)'.",
                members: [
                    "pointer": .string(pointer + "/rule"),
                    "rules": .array(Rule.allCases.map { .string($0.rawValue) }),
                ]
            )
        }
        let text = value.string ?? ""
        if text.isLonger(than: rule.maximumLength) {
            throw Problem(
                .valueTooLong,
                "A value for the rule '\(name)' may have at most \(rule.maximumLength) characters.",
                members: ["pointer": .string(pointer + "/value"), "maximum": Value(rule.maximumLength)]
            )
        }
        self.rule = rule
        self.value = text
    }

    /// What the rule says.
    func result(_ configuration: ServiceConfiguration) -> Value {
        switch rule {
        case .userID:
            let normalised = InputNormaliser().normalise(value)
            guard UserIDValidator().isValid(userID: normalised) else { return refused(.invalidUserID) }
            return ["valid": true, "normalised": .string(normalised)]
        case .email:
            return EmailValidator().isValid(email: value) ? ["valid": true] : refused(.invalidEmail)
        case .password:
            let objection = configuration.passwordPolicy.objection(to: value, name: nil, email: nil, userID: nil)
            return objection.map(refused) ?? ["valid": true]
        }
    }

    private func refused(_ message: Message) -> Value {
        var result: Value.Object = [
            "valid": false, "code": .string(message.code), "message": .string(message.text),
        ]
        if !message.parameters.isEmpty { result["parameters"] = .object(message.parameters) }
        return .object(result)
    }

    private static func malformed(_ detail: String, at pointer: String) -> Problem {
        Problem(.malformedBody, detail, members: ["pointer": .string(pointer)])
    }
}
