import BundledControllers
import BusinessLogic

extension Product {
    static let car = Product(name: "Car", description: "A beautiful car", image: "car")
    static let book = Product(name: "Book", description: "", image: "book")
}
