import CSQLite
import Glibc

/// An error that SQLite has reported.
///
/// The description contains the SQL, but no values, so it may be logged.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A kind of error, with its number in https://sqlite.org/rescode.html.
    package enum Code: Int32, Sendable {
        case error = 1
        case permission = 3, abort, busy, locked
        case readOnly = 8, interrupt, inputOutput, corrupt
        case full = 13, cannotOpen
        case tooBig = 18, constraint, mismatch, misuse
        case range = 25, notADatabase
    }

    /// The number of the kind of error, more exactly than ``code``.
    package let number: Int32
    /// What SQLite says about the error, with the reason of the system if it could not read or write the file.
    package let message: String
    /// The statement that has failed, without values; `nil` if no statement has failed.
    package let sql: String?

    /// The kind of error; `nil` for one that the program treats as any other.
    package var code: Code? { Code(rawValue: number & 0xFF) }

    package var isReadFailure: Bool {
        // `SQLITE_IOERR_READ` and `SQLITE_IOERR_SHORT_READ`, which Swift does not import.
        [SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8].contains(number)
    }

    package var description: String {
        "SQLite error \(number): \(message)" + (sql.map { " in the statement '\($0)'" } ?? "")
    }

    init(_ code: Code, _ message: String, sql: String? = nil) {
        self.init(number: code.rawValue, message, sql: sql)
    }

    /// - Parameter number: that of a kind of error, which may be an extended one.
    init(number: Int32, _ message: String, sql: String? = nil) {
        self.number = number
        self.message = message
        self.sql = sql
    }

    /// The error of the last call with a connection; `nil` if SQLite had no memory for one.
    init(of connection: OpaquePointer?, sql: String? = nil) {
        // For `nil`, SQLite reports that it has no memory.
        let number = sqlite3_extended_errcode(connection)
        var message = String(cString: sqlite3_errmsg(connection))
        // Otherwise, the message does not say that the disk is full, for example.
        let reason = connection.map { sqlite3_system_errno($0) } ?? 0
        if number & 0xFF == SQLITE_IOERR, reason != 0 { message += ": \(String(cString: strerror(reason)))" }
        self.init(number: number, message, sql: sql)
    }
}
