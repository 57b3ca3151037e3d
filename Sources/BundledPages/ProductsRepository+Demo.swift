public import BundledControllers

extension ProductsRepository {
    /// The products of the demonstration: a car, and a book without a description.
    public static let demo = ProductsRepository(demoProducts)

    static let demoProducts = [
        Product(name: "Car", description: "A beautiful car", image: "car"),
        Product(name: "Book", description: "", image: "book"),
    ]
}
