import BusinessLogic
import HTTPMessages
import Understudy

/// What the query of a link to a page says: values of fields, and names for this module.
struct BrowserLink {
    /// Anyone can choose it in `_back`; `nil` if the query has none.
    let back: String?
    /// The values that are not valid, with which the form is shown; `nil` if all are valid.
    private(set) var rejected: EnteredValues?
    /// The event that loads the page with values of the link, if it is safe; `nil` if the page has none.
    private let load: (event: String, values: Value.Object)?
    let hasFields: Bool

    /// `page` is what `GET /PAGE` returns for that query. Without a user, the event that loads the page only runs if the query has fields, if it can
    /// lead to the login, or if the page shows everyone what can change elsewhere.
    init(_ query: Substring?, _ page: Value, hasUser: Bool = false) {
        let submission = query.flatMap { Submission(query: $0) }
        back = submission?.values["_back"]?.string
        let texts = FormTexts(submission?.values ?? [:])
        let names = page["fields"].elements.filter { $0["secret"] != true || $0["fromLink"] == true }
            .compactMap { $0["name"]?.string }.filter(texts.contains)
        let wrong = names.filter { name in
            page["errors"].elements.contains {
                $0["field"]?.string == name && $0["code"]?.string?.hasPrefix("value.") == true
            }
        }
        if let submission, !wrong.isEmpty {
            rejected = EnteredValues(submission, on: page)
            rejected?.keep(wrong)
        }
        let event = page["events"].elements.first { event in
            event["safe"] == true && Screen.loadingEvents.contains(event["event"]?.string ?? "")
                && event["reads"].elements.allSatisfy { read in read.string.map(names.contains) ?? false }
        }
        hasFields = !names.isEmpty
        let destinations = (event?["gives"]?["destinations"]).elements
        let isComplete =
            hasUser || ["mailbox", "reset"].contains(page["page"]) || destinations.contains { $0["name"] == "login" }
        guard isComplete || hasFields, wrong.isEmpty, let event, let name = event["event"]?.string else {
            load = nil
            return
        }
        var values: Value.Object = [:]
        for read in event["reads"].elements.compactMap(\.string) { values[read] = page["values"]?[read] }
        load = (name, values)
    }

    /// The request that sends ``load``. Links of other sites may cause it, because the event is safe.
    func loadingRequest(_ request: Request) -> Request? {
        guard let load else { return nil }
        return request.part(
            .post,
            String(request.path),
            replacing: [
                ("Sec-Fetch-Site", ""), ("Origin", ""), ("Content-Length", ""), (.contentType, "application/json"),
            ],
            body: Value.object(["event": .string(load.event), "values": .object(load.values)]).json
        )
    }
}
