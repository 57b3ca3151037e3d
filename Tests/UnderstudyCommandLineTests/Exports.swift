// The modules that the tests of this target use without an import of their own.
@_exported import Accounts
@_exported import AccountsSQLite
@_exported import ArgumentParser
@_exported import Foundation
@_exported import Glibc
@_exported import PostgreSQLTestSupport
@_exported import RateLimiting
@_exported import TestSupport
@_exported import Understudy
@_exported import UnderstudyCommandLine
