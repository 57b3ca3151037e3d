import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct ProductTests {
    @Test func `a screen shows a product's name, description and image`() {
        #expect(Product.car.screenValue == ["name": "Car", "description": "A beautiful car", "image": "car"])
    }

    @Test func `a product is unchanged after encoding and decoding`() throws {
        #expect(try throughJSON([Product.car, .book]) == [.car, .book])
    }
}
