/// The files of a new package with one page.
struct PackageTemplate {
    let name: PackageName
    /// The package's declaration of its dependency, and the name by which its targets refer to it.
    private let dependency: (declaration: String, name: String)
    /// The checkout on which the package depends, which neither an image nor a workflow has; `nil` for a repository.
    private let checkout: String?

    /// A package that finds this one in a local checkout, whose path is absolute.
    init(_ name: PackageName, path: String) {
        self.name = name
        checkout = path
        dependency = (".package(name: \"understudy\", path: \(path.debugDescription))", "understudy")
    }

    /// A package that finds this one in a Git repository. It accepts that version and later ones.
    init(_ name: PackageName, url: String, version: String) {
        self.name = name
        checkout = nil
        let last = url.split(separator: "/").last ?? ""
        dependency = (
            ".package(url: \(url.debugDescription), from: \(version.debugDescription))",
            String(last.hasSuffix(".git") ? last.dropLast(4) : last)
        )
    }

    /// The files with their paths in the package. A minimal one has only the controller with its page and a test, without texts in German,
    /// HTML and deployment.
    func files(isMinimal: Bool) -> [(path: String, text: String)] {
        let sources = "Sources/\(name.module)"
        let minimal: [(String, [UInt8])] = [
            ("Package.swift", PackageResources.manifest_txt), (".gitignore", Array(".build/\n".utf8)),
            ("\(sources)/\(name.type)Controller.swift", PackageResources.controller_txt),
            ("\(sources)/Pages.swift", PackageResources.pages_txt),
            ("\(sources)/main.swift", PackageResources.main_txt),
            ("Tests/\(name.module)Tests/\(name.type)ControllerTests.swift", PackageResources.test_txt),
        ]
        let others: [(String, [UInt8])] = [
            ("\(sources)/Resources/Localizable.xcstrings", PackageResources.catalog_txt),
            ("\(sources)/templates/\(name.page).mustache", PackageResources.page_txt),
            ("README.md", PackageResources.readme_txt), ("Dockerfile", PackageResources.dockerfile_txt),
            (".dockerignore", Array(".build\n.git\n".utf8)),
            (".github/workflows/test.yml", PackageResources.workflow_txt),
        ]
        return (isMinimal ? minimal : minimal + others).map { ($0, text($1, isMinimal: isMinimal)) }
    }

    /// The text of a file of the folder `Template`. A line that begins with `{{full}}` or `{{minimal}}` is in one kind of package only.
    private func text(_ template: [UInt8], isMinimal: Bool) -> String {
        let (kept, dropped) = isMinimal ? ("{{minimal}}", "{{full}}") : ("{{full}}", "{{minimal}}")
        let lines = String(decoding: template, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.filter { !$0.hasPrefix(dropped) }.joined(separator: "\n").replacing(kept, with: "")
        let path = checkout.map { "--build-context understudy=\($0.debugDescription) " }
        let note =
            "      # Its dependency is a local checkout: replace it in Package.swift by the URL of a repository.\n"
        return [
            ("module", name.module), ("type", name.type), ("page", name.page),
            ("package", dependency.name.debugDescription), ("dependency", dependency.declaration),
            ("context", path ?? ""),
            ("copy", checkout.map { "COPY --from=understudy [\".\", \($0.debugDescription)]\n" } ?? ""),
            ("note", checkout == nil ? "" : note),
            ("packages", packages.development), ("libraries", packages.runtime),
        ].reduce(text) { $0.replacing("{{\($1.0)}}", with: $1.1) }
    }

    /// The packages of Debian 12 that contain the libraries of Understudy: to build a program, and to run one.
    private let packages = (
        development: """
        libargon2-dev libcrypt-dev libcurl4-openssl-dev libfido2-dev libgnutls28-dev libmicrohttpd-dev liboath-dev libpq-dev \
        libqrencode-dev libsodium-dev libsqlite3-dev libunistring-dev libyaml-dev pkg-config zlib1g-dev
        """,
        runtime: """
        libargon2-1 libcrypt1 libcurl4 libfido2-1 libgnutls30 libmicrohttpd12 liboath0 libpq5 libqrencode4 libsodium23 libsqlite3-0 \
        libunistring2 libyaml-0-2 zlib1g
        """
    )
}
