import Glibc

/// Runs a program, and waits until it has ended.
package enum Command {
    package struct Failure: Error {
        package let arguments: [String]
        package let status: Int32
    }

    /// Runs a program as a user who may run PostgreSQL: the current one, or `postgres` if that is root.
    package static func runAsDatabaseUser(_ arguments: [String]) throws {
        let prefix = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        try run(prefix + arguments)
    }

    /// Runs a program with its output discarded.
    package static func run(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let strings = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        var process = pid_t()
        let spawned = posix_spawnp(&process, arguments[0], &actions, nil, strings + [nil], environ)
        guard spawned == 0 else { throw Failure(arguments: arguments, status: spawned) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Failure(arguments: arguments, status: status) }
    }
}
