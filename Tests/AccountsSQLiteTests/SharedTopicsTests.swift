import AccountStoreSuite
import AccountsDatabase
import AccountsSQLite
import Testing

@Suite struct SharedTopicsTests {
    private let folder = TemporaryFolder()

    private func processes() throws -> [SharedTopicsSuite.Process] {
        [
            SharedTopicsSuite.Process(try SQLiteDatabase(path: folder.file())),
            SharedTopicsSuite.Process(try SQLiteDatabase(path: folder.file())),
        ]
    }

    @Test(arguments: SharedTopicsSuite.behaviours)
    func `processes with one file publish topics for each other`(_ behaviour: Behaviour<[SharedTopicsSuite.Process]>)
        async throws
    {
        try await behaviour.check(try processes())
    }
}
