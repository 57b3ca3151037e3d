// What most tests of accounts use.
@_exported import Foundation
@_exported import TestSupport
