import BusinessLogic

/// What an expense is for.
enum Category: String, ChoiceValue, Codable {
    case travel, meals, equipment
}

/// What has become of an expense.
enum Status: String, ChoiceValue, Codable {
    case submitted, approved, rejected
}

/// What a user enters about an expense.
struct Receipt: Codable, Equatable {
    var title: String, amount: Amount, day: Day, category: Category
}

/// An expense, as the lists show it.
struct Expense: ObjectValue, Codable, Equatable {
    var id: Int, title: String, amount: Amount, day: Day, category: Category, status: Status, username: String

    static let object = ObjectSchema(
        Expense.init(id:title:amount:day:category:status:username:),
        Member("id", \.id),
        Member("title", \.title),
        Member("amount", \.amount),
        Member("day", \.day),
        Member("category", \.category),
        Member("status", \.status),
        Member("username", \.username)
    )
}

extension User {
    /// Identifies the user in the table: the account's permanent ID, because a user can get another name.
    var owner: String { id ?? username }
    var isManager: Bool { roles.contains("manager") }
}

extension Topic {
    static let expenses: Topic = "expenses"
}

extension Message {
    static let notLoggedIn = Message(code: "expense.notLoggedIn", text: "Please log in first")
    static let inFuture = Message(code: "expense.inFuture", text: "The day is in the future", field: "day")
    static let tooOld = Message(code: "expense.tooOld", text: "The day is more than 60 days ago", field: "day")
    static let stored = Message.notice(code: "expense.stored", text: "Your expense is submitted")
    static let managersOnly = Message(code: "approvals.managersOnly", text: "Only managers can decide")
    static let ownExpense = Message(
        code: "approvals.ownExpense",
        text: "Another manager must decide about your expense"
    )
    static let notOpen = Message(code: "approvals.notOpen", text: "This expense is no longer to be decided")
    static let decided = Message.notice(code: "approvals.decided", text: "Your decision is stored")
}
