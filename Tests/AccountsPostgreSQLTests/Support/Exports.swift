// What most tests of the database use.
@_exported import AccountStoreSuite
@_exported import AccountsPostgreSQL
@_exported import PostgreSQLTestSupport
