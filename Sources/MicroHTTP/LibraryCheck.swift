import CMicroHTTPD

/// The properties of the installed libmicrohttpd.
///
/// 0.9 accepts some invalid heads. The server can use 0.9 only because it leaves all bytes in its buffer: `HeadLayout` finds the bytes that
/// it did not pass on, and `ChunkLines` the lines between the chunks of a body. 1.0 rejects invalid heads by itself.
///
/// Code that only 0.9 needs is in the folder `Version09` or depends on `isStrict`. Remove it with the support for Debian 12.
struct LibraryCheck {
    static let installed = LibraryCheck()

    /// Whether the library rejects invalid heads by itself, as from 1.0 on. Otherwise, what it passes to its handler is still in the buffer, in
    /// the order of arrival.
    let isStrict = CMicroHTTPD_version() >= 10_000
    /// Whether each response has its own, writable copies of its headers' values, so that a reused response can get another one.
    let ownsHeaderValues = CMicroHTTPD_owns_header_values()
}
