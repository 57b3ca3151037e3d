internal import CSQLite
internal import Glibc

/// An error that SQLite has reported.
///
/// The description contains the SQL, but no values, so it may be logged.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of a kind of error, as in https://sqlite.org/rescode.html.
    package struct Code: Equatable, Sendable {
        package let number: Int32

        package static let error = Code(number: SQLITE_ERROR)
        package static let permission = Code(number: SQLITE_PERM)
        package static let abort = Code(number: SQLITE_ABORT)
        package static let busy = Code(number: SQLITE_BUSY)
        package static let locked = Code(number: SQLITE_LOCKED)
        package static let inputOutput = Code(number: SQLITE_IOERR)
        package static let readOnly = Code(number: SQLITE_READONLY)
        package static let interrupt = Code(number: SQLITE_INTERRUPT)
        package static let corrupt = Code(number: SQLITE_CORRUPT)
        package static let full = Code(number: SQLITE_FULL)
        package static let cannotOpen = Code(number: SQLITE_CANTOPEN)
        package static let tooBig = Code(number: SQLITE_TOOBIG)
        package static let constraint = Code(number: SQLITE_CONSTRAINT)
        package static let mismatch = Code(number: SQLITE_MISMATCH)
        package static let misuse = Code(number: SQLITE_MISUSE)
        package static let range = Code(number: SQLITE_RANGE)
        package static let notADatabase = Code(number: SQLITE_NOTADB)
    }

    /// The kind of error, more exactly than ``code``.
    package let extendedCode: Code
    /// What SQLite says about the error, with the reason of the system if it could not read or write the file.
    package let message: String
    /// The statement that has failed, without values; `nil` if no statement has failed.
    package let sql: String?

    /// The kind of error.
    package var code: Code { Code(number: extendedCode.number & 0xFF) }

    /// Whether the file could not be read.
    package var isReadFailure: Bool {
        // `SQLITE_IOERR_READ` and `SQLITE_IOERR_SHORT_READ`, which Swift does not import.
        [SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8].contains(extendedCode.number)
    }

    package var description: String {
        "SQLite error \(extendedCode.number): \(message)" + (sql.map { " in the statement '\($0)'" } ?? "")
    }

    /// - Parameter code: the kind of error, which may be an extended one.
    init(_ code: Code, _ message: String, sql: String? = nil) {
        extendedCode = code
        self.message = message
        self.sql = sql
    }

    /// The error of the last call with a connection.
    ///
    /// - Parameter connection: `nil` if SQLite had no memory for one.
    init(of connection: OpaquePointer?, sql: String? = nil) {
        // For `nil`, SQLite reports that it has no memory.
        let code = Code(number: sqlite3_extended_errcode(connection))
        var message = String(cString: sqlite3_errmsg(connection))
        // Otherwise, the message does not say that the disk is full, for example.
        let number = connection.map { sqlite3_system_errno($0) } ?? 0
        if code.number & 0xFF == SQLITE_IOERR, number != 0 { message += ": \(String(cString: strerror(number)))" }
        self.init(code, message, sql: sql)
    }
}
