import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct RepositoryTests {
    @Test func `a fixed repository returns its products in their order`() {
        #expect(ProductsRepository([.car, .book]).get() == [.car, .book])
        #expect(ProductsRepository([.book, .car]).get() == [.book, .car])
        #expect(ProductsRepository([]).get() == [])
    }
}
