import Accounts
import BusinessLogic
import HTMLPages
import Logging
import Understudy

/// The contents of the files that operators may replace: translations, templates and static files.
struct ContentFiles {
    let translations: Translations
    /// The pages for browsers; `nil` if browsers get JSON.
    let htmlPages: HTMLPages?
    /// Writes the mails to users; `nil` if none are sent.
    let mails: TemplatedMails?

    init(_ settings: ServeSettings) throws {
        let (program, service, folders) = (Application.current, settings.service, settings.pageFolders)
        var translations = service.translations
        if let file = settings.translations {
            let own = try Translations(file: file, setting: Settings.translations.name, for: .ofProgram())
            translations = translations.merging(own)
        }
        self.translations = translations
        do {
            var pages =
                try settings.servesHTML
                ? HTMLPages(
                    title: service.title,
                    templates: program.templates,
                    assets: program.assets,
                    folders: folders,
                    imageOrigins: settings.imageOrigins,
                    labels: translations,
                    below: service.pathPrefix,
                    isDemo: settings.isDemo,
                    isDevelopment: settings.isDevelopment,
                    isPublicAddressSecure: service.isPublicAddressSecure
                ) : nil
            pages?.passwordMinimum = (settings.passwordPolicy as? ServicePasswordPolicy)?.minimum
            pages?.servesAgents = service.servesAgents
            htmlPages = pages
            mails = try settings.mails.map { _ in
                let templates = try MailTemplates(
                    title: service.title,
                    templates: program.templates,
                    folder: folders.templates,
                    labels: translations
                )
                return TemplatedMails(templates, address: service.publicOrigin.map { "\($0)\(service.pathPrefix)" })
            }
        } catch let error as HTMLFileError {
            throw Self.explained(error, folders)
        }
    }

    /// The error about a folder, or about a file in it, with the setting of the folder.
    private static func explained(_ error: HTMLFileError, _ folders: PageFolders) -> any Error {
        let settings = [(Settings.templates.name, folders.templates), (Settings.assets.name, folders.assets)]
        let named = settings.filter { _, folder in folder.map(error.path.hasPrefix) ?? false }
        // One folder can be in the other.
        let setting = named.max { ($0.1?.count ?? 0) < ($1.1?.count ?? 0) }?.0
        return setting.map { CommandError("'\(error.path)' of '\($0)' cannot be used: \(error.reason)") } ?? error
    }

    func fill(_ configuration: inout ServiceConfiguration) {
        configuration.translations = translations
        configuration.browserPages = htmlPages
    }

    /// What is probably a mistake: the files that are not served, and the texts of pages that are missing.
    func warnings(about pages: [Page]) throws -> [Warning] {
        guard let htmlPages else { return [] }
        let ignored = htmlPages.ignoredFiles.map { path in
            Warning(text: "A file is not served: its type or its name is not supported", details: ["path": path])
        }
        let missing = try MissingLabel.all(pages, templates: htmlPages.ownTemplates, translations).map { label in
            Warning(
                text: "A label of a page has no text in the catalog",
                details: ["key": label.key, "languages": label.languages.joined(separator: ",")]
            )
        }
        return ignored + missing
    }

    /// A line of the log about the files.
    struct Warning: Hashable {
        let text: String
        let details: [String: String]

        func log(_ logger: Logger) { logger.warning("\(text)", metadata: details.mapValues { "\($0)" }) }
    }
}

/// Writes the mails to users with the texts of the program, and links to its pages.
final class TemplatedMails: MailWriting {
    let templates: LockedValue<MailTemplates>
    private let address: LockedValue<String?>

    /// - Parameter address: the address of the service for clients, with the prefix of its paths; `nil` if it is not known yet.
    init(_ templates: MailTemplates, address: String?) {
        self.templates = LockedValue(templates)
        self.address = LockedValue(address)
    }

    /// Sets the address of the service, unless it is known.
    func setAddress(_ url: String) {
        address.change { $0 = $0 ?? url }
    }

    func mail(_ content: MailContent, to recipient: String, language: String?, expires: Timestamp?) -> Mail {
        let written = templates.value.content(
            subject: content.subject,
            text: content.text,
            code: content.code,
            link: link(content),
            language: language
        )
        return Mail(
            recipient: recipient,
            subject: written.subject,
            text: written.text,
            html: written.html,
            expires: expires
        )
    }

    /// A link to the page, which fills a code in. The request of a browser never decides where it leads.
    private func link(_ content: MailContent) -> String? {
        guard let page = content.page, let address = address.value else { return nil }
        return "\(address)/\(page)" + (content.code.map { "?code=\($0)" } ?? "")
    }
}
