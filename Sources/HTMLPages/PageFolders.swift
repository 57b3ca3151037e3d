/// Folders with templates and static files that ``HTMLPages`` reads. They replace those of the program with the same name.
public struct PageFolders: Sendable {
    /// The folder with a template `NAME.mustache` for each page NAME; `nil` without one.
    public var templates: String?
    /// The folder with scripts, styles, pictures and fonts; `nil` without one.
    public var assets: String?

    /// - Parameters:
    ///   - templates: the folder with a template `NAME.mustache` for each page NAME; `nil` without one.
    ///   - assets: the folder with scripts, styles, pictures and fonts; `nil` without one.
    public init(templates: String? = nil, assets: String? = nil) {
        self.templates = templates
        self.assets = assets
    }
}
