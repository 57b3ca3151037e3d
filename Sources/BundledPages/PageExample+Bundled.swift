internal import BundledControllers
import BusinessLogic
import UnderstudyPages

/// Examples of the bundled pages, with the account and the products of the demonstration.
extension PageExample {
    private static var loggedOut: PageExample {
        PageExample("loggedOut", "No user is logged in.", "viewDidLoad", [.goToPage(.login)])
    }

    static var login: [PageExample] {
        typealias Controller = LoginBusinessLogicController
        return [
            PageExample(
                "rightPassword",
                "The right password leads to the page Home.",
                "loginButtonPressed",
                with: ["username": "batman", "password": "bruce"],
                [.goToPage(.home)]
            ),
            PageExample(
                "wrongPassword",
                "A wrong password is rejected.",
                "loginButtonPressed",
                with: ["username": "batman", "password": "robin"],
                [.render(Controller.message, .wrongCredentials)]
            ),
        ]
    }

    static var home: [PageExample] {
        [
            .loggedOut,
            PageExample(
                "products",
                "A button leads to another page.",
                "productsButtonPressed",
                [.goToPage(.products)]
            ),
        ]
    }

    static var register: [PageExample] {
        typealias Controller = RegistrationBusinessLogicController
        return [
            PageExample(
                "validUserID",
                "The logic removes white space from a valid user ID.",
                "textFieldDidEndEditing",
                with: ["userID": " 012345 678912 "],
                [.render(Controller.userID, "012345678912"), .render(Controller.errorMessage, nil)]
            ),
            PageExample(
                "invalidUserID",
                "A user ID with too few digits is rejected.",
                "textFieldDidEndEditing",
                with: ["userID": "0123"],
                [.render(Controller.userID, nil), .render(Controller.errorMessage, .invalidUserID)]
            ),
        ]
    }

    static var signup: [PageExample] {
        typealias Controller = SignupBusinessLogicController
        return [
            PageExample(
                "viewDidLoad",
                "When the screen has loaded, the form cannot be submitted yet.",
                "viewDidLoad",
                [.render(Controller.submitButtonEnabled, false)]
            ),
            PageExample(
                "validEmail",
                "A sign-up with a valid email address succeeds.",
                "submitButtonPressed",
                with: ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"],
                [.showAlert(.signupSuccessful)]
            ),
            PageExample(
                "invalidEmail",
                "An email address without a dot in its domain is invalid.",
                "submitButtonPressed",
                with: ["name": "Lisa", "email": "lisa@rules", "password": "maggie"],
                [.showAlert(.signupUnsuccessful)]
            ),
        ]
    }

    static var forgot: [PageExample] {
        typealias Controller = ForgotPasswordBusinessLogicController
        return [
            PageExample(
                "address",
                "The response is the same whether an account has the address or not.",
                "sendCodeButtonPressed",
                with: ["email": "lisa@rules.example"],
                [.render(Controller.message, .resetCodeSent), .goToPage(.reset)]
            ),
            PageExample(
                "invalidAddress",
                "A text that is not an address is rejected.",
                "sendCodeButtonPressed",
                with: ["email": "lisa@rules"],
                [.render(Controller.message, .invalidEmail)]
            ),
        ]
    }

    static var reset: [PageExample] {
        typealias Controller = ResetPasswordBusinessLogicController
        return [
            PageExample(
                "wrongCode",
                "A code is worth nothing in a session in which none was sent.",
                "resetButtonPressed",
                with: ["code": "12345678", "password": "a new long password"],
                [.render(Controller.message, .wrongResetCode)]
            )
        ]
    }

    static var verify: [PageExample] {
        typealias Controller = VerifyAddressBusinessLogicController
        return [
            PageExample(
                "wrongCode",
                "A code is worth nothing in a session in which none was sent.",
                "verifyButtonPressed",
                with: ["code": "12345678"],
                [.render(Controller.message, .wrongVerificationCode)]
            )
        ]
    }

    static var account: [PageExample] { [.loggedOut] }

    static var secondFactor: [PageExample] {
        [
            PageExample(
                "withoutLogin",
                "No login waits for a second factor.",
                "verifyButtonPressed",
                with: ["code": "123456"],
                [.showAlert(.secondFactorExpired), .goToPage(.login)]
            )
        ]
    }

    static var factors: [PageExample] { [.loggedOut] }

    static var products: [PageExample] {
        typealias Controller = ProductsPresenter
        return [
            PageExample(
                "list",
                "The page fetches and shows the list.",
                "onStart",
                [
                    .render(Controller.title, "Products"), .render(Controller.loading, true),
                    .render(Controller.products, ProductsRepository.demoProducts),
                    .render(Controller.loading, false),
                ]
            ),
            PageExample(
                "selection",
                "A product with a description has its own page.",
                "onSelected",
                with: ["product": "Car"],
                [.goToPage(Destination.product, "Car")]
            ),
            PageExample(
                "selectionWithoutDescription",
                "A product without a description has no page.",
                "onSelected",
                with: ["product": "Book"],
                [.showAlert(.productWithoutDescription)]
            ),
        ]
    }

    static var product: [PageExample] {
        typealias Controller = ProductDetailPresenter
        return [
            PageExample(
                "detail",
                "The page shows the product.",
                "onStart",
                with: ["product": "Car"],
                [
                    .render(Controller.title, "Product"),
                    .render(Controller.shownProduct, ProductsRepository.demoProducts[0]),
                ]
            ),
            PageExample(
                "unknownProduct",
                "There is no product with this name.",
                "onStart",
                with: ["product": "Boat"],
                [.render(Controller.title, "Product"), .showAlert(.productNotValid)]
            ),
        ]
    }

    static var email: [PageExample] {
        typealias Controller = EmailBusinessLogicController
        return [
            PageExample(
                "validAddress",
                "A valid address can be saved.",
                "emailChanged",
                with: ["email": "lisa@rules.example"],
                [.render(Controller.saveButtonEnabled, true)]
            ),
            PageExample(
                "saveNothing",
                "Without a valid address, the page saves nothing.",
                "saveButtonPressed",
                [.render(Controller.message, .invalidEmail), .render(Controller.saveButtonEnabled, false)]
            ),
        ]
    }
}
