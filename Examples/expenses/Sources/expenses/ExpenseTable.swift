import BusinessLogic
import UnderstudyCommandLine

let migrations: [SQLText] = [
    SQLText(
        postgreSQL: """
            CREATE TABLE own_expense (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner text NOT NULL, username text NOT NULL, language text,
                title text NOT NULL, cents bigint NOT NULL, day text NOT NULL, category text NOT NULL, status text NOT NULL
            )
            """,
        sqlite: """
            CREATE TABLE own_expense (
                id INTEGER PRIMARY KEY, owner TEXT NOT NULL, username TEXT NOT NULL, language TEXT,
                title TEXT NOT NULL, cents INTEGER NOT NULL, day TEXT NOT NULL, category TEXT NOT NULL, status TEXT NOT NULL
            ) STRICT
            """
    ),
    "CREATE INDEX own_expense_owner ON own_expense (owner, id)",
]

/// The expenses of all users, in the configured database.
struct ExpenseTable: ExpenseStoring {
    let database: PageDatabase

    private static let insert = SQLStatement(
        "add expense",
        """
        INSERT INTO own_expense (owner, username, language, title, cents, day, category, status)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'submitted')
        """
    )

    private static let sum = SQLStatement(
        "sum of expenses",
        """
        SELECT CAST(coalesce(sum(cents), 0) AS bigint) FROM own_expense
        WHERE owner = $1 AND substr(day, 1, 7) = substr(CAST($2 AS text), 1, 7) AND status <> 'rejected'
        """
    )

    private static let ofUser = SQLStatement(
        "expenses of a user",
        """
        SELECT id, title, cents, day, category, status, username FROM own_expense
        WHERE owner = $1 ORDER BY id DESC LIMIT 100
        """
    )

    private static let open = SQLStatement(
        "submitted expenses",
        """
        SELECT id, title, cents, day, category, status, username, owner, language FROM own_expense
        WHERE status = 'submitted' ORDER BY id LIMIT 100
        """
    )

    private static let update = SQLStatement(
        "decide about an expense",
        "UPDATE own_expense SET status = $2 WHERE id = $1 AND status = 'submitted' RETURNING id"
    )

    func add(_ receipt: Receipt, of user: User, language: String?) async throws {
        // In cents, also if the user has entered 40 or 40.5.
        let cents = (receipt.amount + Amount(units: 0)).units
        let step = Self.insert(
            user.owner,
            user.username,
            language,
            receipt.title,
            cents,
            "\(receipt.day)",
            receipt.category.rawValue
        )
        try await database.stage([step], publishing: .expenses)
    }

    func total(of user: User, inMonthOf day: Day) async throws -> Amount {
        Amount(units: try await database.read(Self.sum(user.owner, "\(day)")) { try $0.number(0) }.first ?? 0)
    }

    func expenses(of user: User) async throws -> [Expense] {
        try await database.read(Self.ofUser(user.owner), Self.expense)
    }

    func submitted() async throws -> [Submission] {
        try await database.read(Self.open()) {
            Submission(expense: try Self.expense($0), owner: try $0.text(7), language: try $0.optionalText(8))
        }
    }

    func decide(_ id: Int, _ status: Status) async throws -> Bool {
        do {
            try await database.stage([Self.update(id, status.rawValue).requiringRow()], publishing: .expenses)
            return true
        } catch is DataHaveChanged {
            return false
        }
    }

    @Sendable private static func expense(_ row: SQLRow) throws -> Expense {
        guard let day = Day(try row.text(3)), let category = Category(rawValue: try row.text(4)),
            let status = Status(rawValue: try row.text(5))
        else { throw CollaboratorError.unavailable(retryAfter: .seconds(60)) }
        return Expense(
            id: try row.number(0),
            title: try row.text(1),
            amount: Amount(units: try row.number(2)),
            day: day,
            category: category,
            status: status,
            username: try row.text(6)
        )
    }
}
