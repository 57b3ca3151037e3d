import UnderstudyCommandLine

await UnderstudyCommandLine.run()
