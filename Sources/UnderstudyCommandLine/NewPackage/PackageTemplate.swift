/// The files of a new package with one page.
struct PackageTemplate {
    let name: PackageName
    /// The package's declaration of its dependency, and the name by which its targets refer to it.
    private let dependency: (declaration: String, name: String)

    /// A package that finds this one in a local checkout.
    ///
    /// - Parameter path: the absolute path of the checkout.
    init(_ name: PackageName, path: String) {
        self.name = name
        dependency = (".package(name: \"understudy\", path: \(path.debugDescription))", "understudy")
    }

    /// A package that finds this one in a Git repository.
    ///
    /// - Parameter version: the oldest version that the package accepts.
    init(_ name: PackageName, url: String, version: String) {
        self.name = name
        let last = url.split(separator: "/").last ?? ""
        dependency = (
            ".package(url: \(url.debugDescription), from: \(version.debugDescription))",
            String(last.hasSuffix(".git") ? last.dropLast(4) : last)
        )
    }

    /// The files with their paths in the package.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", text(PackageResources.manifest_txt)),
            (".gitignore", ".build/\n"),
            ("Sources/\(name.module)/\(name.type)Controller.swift", text(PackageResources.controller_txt)),
            ("Sources/\(name.module)/Pages.swift", text(PackageResources.pages_txt)),
            ("Sources/\(name.module)/main.swift", text(PackageResources.main_txt)),
            ("Tests/\(name.module)Tests/\(name.type)ControllerTests.swift", text(PackageResources.test_txt)),
        ]
    }

    /// The text of a file of the folder `Template`.
    private func text(_ template: [UInt8]) -> String {
        [
            ("module", name.module), ("type", name.type), ("page", name.page),
            ("package", dependency.name.debugDescription), ("dependency", dependency.declaration),
        ].reduce(String(decoding: template, as: UTF8.self)) { $0.replacing("{{\($1.0)}}", with: $1.1) }
    }
}
