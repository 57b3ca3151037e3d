// The modules that the tests of this target use without an import of their own.
@_exported import AccountStoreSuite
@_exported import Accounts
@_exported import Foundation
@_exported import MailTestSupport
@_exported import RateLimiting
@_exported import TestSupport
