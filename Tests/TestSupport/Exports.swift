// The helpers are about these modules, so that a test that uses the helpers imports them with the helpers.
@_exported public import Addresses
@_exported public import BundledControllers
@_exported public import BundledPages
@_exported public import BusinessLogic
@_exported public import HTTPMessages
@_exported public import HTTPTestClient
@_exported public import Logging
@_exported public import MicroHTTP
@_exported public import SessionStorage
@_exported public import Testing
@_exported public import UnderstudyPages
@_exported public import UnderstudyTesting
