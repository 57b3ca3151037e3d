// What most tests of the database use.
@_exported import AccountStoreSuite
@_exported import AccountsSQLite
@_exported import Foundation
