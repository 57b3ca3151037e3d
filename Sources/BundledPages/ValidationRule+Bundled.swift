internal import BundledControllers
import BusinessLogic
import UnderstudyPages

extension ValidationRule {
    /// The rule of the page `register`: the user ID is valid. Its normalised form has no white space.
    static func userID(_ normaliser: any InputNormalising) -> ValidationRule {
        ValidationRule("userID", example: " 012345 678912 ", messages: [.invalidUserID]) { value in
            let normalised = normaliser.normalise(value)
            return UserIDValidator().isValid(userID: normalised)
                ? .valid(normalised: normalised) : .invalid(.invalidUserID)
        }
    }

    /// The rule of the pages `signup` and `email`: the email address is valid.
    static var email: ValidationRule {
        ValidationRule("email", maximumLength: 254, example: "lisa@rules", messages: [.invalidEmail]) { value in
            EmailValidator().isValid(email: value) ? .valid() : .invalid(.invalidEmail)
        }
    }

    /// The rule of the page `signup`: the policy accepts the password.
    static func password(_ policy: any PasswordPolicy) -> ValidationRule {
        ValidationRule("password", isSecret: true, messages: policy.messages) { value in
            policy.objection(to: value, name: nil, email: nil, userID: nil).map { .invalid($0) } ?? .valid()
        }
    }
}
