import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct ProductTests {
    @Test func `a screen is given the name, the description and the image`() {
        #expect(Product.car.value == ["name": "Car", "description": "A beautiful car", "image": "car"])
    }

    @Test func `a product comes back from JSON as it was`() throws {
        #expect(try throughJSON([Product.car, .book]) == [.car, .book])
    }
}
