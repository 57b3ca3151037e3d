/// Where the stack ends now: a smaller number at a deeper call. Equal in calls that the same functions lead to, so that a test finds a stored
/// closure that is wrapped once more at each use.
@inline(never)
package func stackPosition() -> UInt {
    var byte: UInt8 = 0
    return withUnsafePointer(to: &byte) { UInt(bitPattern: $0) }
}
