// All files of the target use them.
@_exported import TestSupport
@_exported import Understudy
@_exported import UnderstudyClient
