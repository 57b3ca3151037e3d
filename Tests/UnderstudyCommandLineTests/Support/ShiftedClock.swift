import Foundation
import PostgreSQLTestSupport
import TestSupport

/// The clock of a machine for a process: the clock of this machine, and an offset that can change while the process runs.
///
/// A library in C, which the dynamic linker loads before all others, adds the offset to the time of day. Clocks that are never set stay
/// as they are, as on a machine whose clock is set.
final class ShiftedClock: Sendable {
    private let folder = TemporaryFolder()
    private var offset: URL { folder.url.appendingPathComponent("offset") }

    init(seconds: Int64 = 0) throws {
        try folder.write("clock.c", Self.source)
        try Command.run(["gcc", "-shared", "-fPIC", "-O1", "-o", folder.path + "/clock.so", folder.path + "/clock.c"])
        try folder.write("offset", size: 8)
        try set(seconds: seconds)
    }

    /// The variables with which a process uses this clock.
    var environment: [String: String] {
        ["LD_PRELOAD": folder.path + "/clock.so", "CLOCK_OFFSET_FILE": offset.path]
    }

    /// Sets how far the clock is ahead.
    func set(seconds: Int64) throws {
        // In the existing file, which the process has mapped.
        let file = try FileHandle(forWritingTo: offset)
        defer { try? file.close() }
        try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static const volatile int64_t none;
        static const volatile int64_t *offset = &none;

        __attribute__((constructor)) static void map_offset(void) {
            const char *path = getenv("CLOCK_OFFSET_FILE");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
            if (page == MAP_FAILED) abort();
            close(file);
            offset = page;
        }

        int clock_gettime(clockid_t clock, struct timespec *result) {
            int status = syscall(SYS_clock_gettime, clock, result);
            if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) result->tv_sec += *offset;
            return status;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }

        int gettimeofday(struct timeval *result, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
            return 0;
        }
        """
}
