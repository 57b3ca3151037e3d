import CResources

/// The files of the folder `Resources`, which are in the program.
enum PackageResources {
    static func file(_ name: String) -> [UInt8] {
        let file = CResources_find("HTMLPages/Resources/\(name)")
        guard let bytes = file.bytes else { preconditionFailure("\(name) is not in resources.c") }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(file.size)))
    }

    static func template(_ name: String) -> String { String(decoding: file("\(name).mustache"), as: UTF8.self) }
}
