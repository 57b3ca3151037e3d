// The modules that the tests of this target use without an import of their own.
@_exported import HTMLPages
@_exported import TestSupport
@_exported import Understudy
