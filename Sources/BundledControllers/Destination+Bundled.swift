public import BusinessLogic

/// The pages that the bundled controllers go to.
extension Destination where Values == () {
    /// The login screen.
    public static var login: Destination { Destination("login") }
    /// The page after a login, which the article calls Home.
    public static var home: Destination { Destination("Home", page: "home") }
    /// The page after an email address has been saved. The article's segue is called advance.
    public static var advance: Destination { Destination("advance", page: "home") }
    /// The list of products.
    public static var products: Destination { Destination("products") }
    /// The registration of a user ID.
    public static var register: Destination { Destination("register") }
    /// The page on which users enter their email address.
    public static var email: Destination { Destination("email") }
    /// The page on which users who have forgotten their password choose another one.
    public static var reset: Destination { Destination("reset") }
    /// The page on which users complete a login after the password.
    public static var secondFactor: Destination { Destination("secondFactor") }
    /// The page on which users confirm their address.
    public static var verify: Destination { Destination("verify") }
}

extension Destination where Values == String {
    /// The detail of the product with that name.
    public static var product: Destination {
        Destination("ProductDetail", page: "product", ProductDetailPresenter.product)
    }
}
