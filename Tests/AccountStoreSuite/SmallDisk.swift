import Foundation

/// A file system of 32 MiB in memory, which only root can mount.
package struct SmallDisk: Sendable {
    package let path: String

    var filling: String { path + "/filling" }

    package init(_ path: String, ownedBy user: String? = nil) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("understudy", path, "tmpfs", 0, "size=32m") == 0 else { throw POSIXError(.EPERM) }
        if let user = user.flatMap({ getpwnam($0) }) { chown(path, user.pointee.pw_uid, user.pointee.pw_gid) }
    }

    package func remove() { umount2(path, Int32(MNT_DETACH)) }

    /// Writes until no page is left, except for some.
    package func fill(except pages: Int = 0) throws {
        let descriptor = open(filling, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        ftruncate(descriptor, max(0, lseek(descriptor, 0, SEEK_END) - pages * page.count))
    }

    package func empty() throws { try Files.remove(filling) }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only if it may mount a ``SmallDisk``.
    package static var ifDisksCanBeMounted: ConditionTrait {
        .enabled(if: getuid() == 0, "only root can mount a disk")
    }
}
