// The behaviours are about these modules, so that a suite that checks them imports them with the behaviours.
@_exported public import Accounts
@_exported public import AccountsDatabase
@_exported public import SessionStorage
@_exported public import TestSupport
