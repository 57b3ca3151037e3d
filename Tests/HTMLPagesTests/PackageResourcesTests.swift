import Foundation

@testable import HTMLPages

struct PackageResourcesTests {
    @Test func `every file of the folder is in the program`() throws {
        let folder = Checkout.root.appending(path: "Sources/HTMLPages/Resources")
        let names = try Files.names(in: folder.path)
        #expect(names.count > 30)
        for name in names {
            #expect(try PackageResources.file(name) == Array(Data(contentsOf: folder.appending(path: name))), "\(name)")
        }
    }
}
