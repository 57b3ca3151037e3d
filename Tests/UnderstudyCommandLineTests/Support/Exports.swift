// What most tests of commands use.
@_exported import Accounts
@_exported import AccountsDatabase
@_exported import AccountsSQLite
@_exported import Foundation
@_exported import Glibc
@_exported import PostgreSQLTestSupport
@_exported import TestSupport
@_exported import Understudy
