// A program that imports the service also uses pages, problems, translations, recordings and the limits of sessions, wherever the targets'
// boundaries are.
@_exported public import SessionStorage
@_exported public import UnderstudyPages
@_exported public import UnderstudySessions
