// A program that imports the service also uses pages, problems, translations and recordings, wherever the targets' boundaries are.
@_exported public import UnderstudyPages
@_exported public import UnderstudySessions
