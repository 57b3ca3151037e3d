import Foundation
import TestSupport

@testable import HTMLPages

@Suite struct PackageResourcesTests {
    @Test func `every file of the folder is in the program`() throws {
        let folder = Checkout.root.appending(path: "Sources/HTMLPages/Resources")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 30)
        for name in names {
            #expect(try PackageResources.file(name) == Array(Data(contentsOf: folder.appending(path: name))), "\(name)")
        }
    }
}
