import ArgumentParser
import FoundationEssentials
import Glibc
import Understudy

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration("init")

    @Argument(
        help: "The name of the folder, the package and its module. In lower case, it is the name of the page.",
        transform: PackageName.parser.parse
    )
    var name: PackageName

    @Option(help: "The folder of a local checkout of Understudy, on which the package depends.")
    var path: String?

    @Option(
        help:
            "The URL of a Git repository of Understudy, on which the package depends, from version \(UnderstudyService.version)."
    )
    var url: String?

    @Flag(help: "Write only a controller with its page and a test: no German texts, template, Dockerfile and workflow.")
    var minimal = false

    func run() throws {
        let package =
            switch (path, url) {
            case (let path?, nil): PackageTemplate(name, path: try Self.checkout(path))
            case (nil, let url?): PackageTemplate(name, url: url, version: UnderstudyService.version)
            default:
                throw ValidationError(
                    "State where the package finds Understudy: "
                        + "'--path <path>' for a local checkout, or '--url <url>' for a Git repository."
                )
            }
        try Self.write(package.files(isMinimal: minimal), to: name.module)
        Terminal.print(
            """
            The package is in the folder \(name.module). Now run:

                cd \(name.module) && swift test
                swift run \(name.module) serve --pages on
                curl -d name=Lisa localhost:8080/\(name.page)
            """
        )
    }

    /// The absolute path of a checkout.
    private static func checkout(_ path: String) throws(CommandError) -> String {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        guard let resolved, access(path + "/Package.swift", R_OK) == 0 else {
            throw CommandError(
                "The folder '\(path)' of '--path' contains no Package.swift; state the folder of a checkout."
            )
        }
        return String(cString: resolved)
    }

    private static func write(_ files: [(path: String, text: String)], to folder: String) throws(CommandError) {
        // Fails if anything exists there, unlike FileManager.
        guard mkdir(folder, 0o777) == 0 else {
            if errno == EEXIST {
                throw CommandError("There is a file or a folder '\(folder)' already; move it, or choose another name.")
            }
            throw CommandError("The folder '\(folder)' cannot be created: \(systemError()).")
        }
        for (path, text) in files {
            let file = URL(filePath: folder + "/" + path)
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            } catch {
                throw CommandError("The file '\(folder)/\(path)' cannot be written: \(error).")
            }
        }
    }
}
