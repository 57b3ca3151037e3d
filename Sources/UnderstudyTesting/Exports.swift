// Tests of rehearsals also use screens and stubs, wherever the targets' boundary is.
@_exported public import ScreenTesting
