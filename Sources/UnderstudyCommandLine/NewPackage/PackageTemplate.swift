/// The files of a new package with one page.
struct PackageTemplate {
    /// Where the package finds this one.
    enum Source: Equatable {
        /// A local checkout, as an absolute path.
        case path(String)
        /// A Git repository, with the oldest version that the package accepts.
        case url(String, version: String)
    }

    let name: PackageName
    let source: Source

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
        let (declaration, package) = dependency
        return [
            ("module", name.module), ("type", name.type), ("page", name.page),
            ("package", package.debugDescription), ("dependency", declaration),
        ].reduce(String(decoding: template, as: UTF8.self)) { $0.replacing("{{\($1.0)}}", with: $1.1) }
    }

    /// The package's declaration of its dependency, and the name by which its targets refer to it.
    private var dependency: (declaration: String, name: String) {
        switch source {
        case .path(let path):
            return (".package(name: \"understudy\", path: \(path.debugDescription))", "understudy")
        case .url(let url, let version):
            let last = url.split(separator: "/").last ?? ""
            let name = String(last.hasSuffix(".git") ? last.dropLast(4) : last)
            return (".package(url: \(url.debugDescription), from: \(version.debugDescription))", name)
        }
    }
}
