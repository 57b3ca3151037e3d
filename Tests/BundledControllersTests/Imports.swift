// All files of the target use them.
@_exported import TestSupport
