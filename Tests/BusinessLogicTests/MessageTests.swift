import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct MessageTests {
    @Test func `a message is unchanged after encoding and decoding`() throws {
        let message = Message(code: "page.reason", text: "Because of 3", parameters: ["count": 3])
        #expect(try throughJSON(message) == message)
    }

    @Test func `a message has no parameters by default`() {
        #expect(
            Message(code: "page.reason", text: "Because")
                == Message(code: "page.reason", text: "Because", parameters: [:])
        )
    }

    @Test(
        arguments: [
            (.wrongCredentials, "login.wrongCredentials", "Wrong username or password"),
            (
                .tooManyLoginAttempts, "login.tooManyAttempts",
                "You have exceeded the maximum number of attempts, please try after sometime."
            ),
            (.signupSuccessful, "signup.successful", "Successful"),
            (.signupUnsuccessful, "signup.unsuccessful", "Unsuccessful"),
            (.tooManySignupAttempts, "signup.tooManyAttempts", "Too Many Attempts"),
            (.productsUnavailable, "products.unavailable", "No products available"),
            (.productWithoutDescription, "products.withoutDescription", "Product without description"),
            (.productNotValid, "product.notValid", "Product not valid"),
        ] as [(Message, String, String)]
    )
    func `the bundled messages keep their codes and texts`(
        message: Message,
        code: String,
        text: String
    ) {
        #expect(message == Message(code: code, text: text))
    }

    @Test func `the message about a user ID has the number of digits as a parameter`() {
        #expect(Message.invalidUserID.code == "registration.invalidUserID")
        #expect(Message.invalidUserID.parameters == ["digits": 12])
    }
}
