internal import CMicroHTTPD
internal import Glibc

/// Where libmicrohttpd found the parts of a head, during the first call of its handler. They are in its receive buffer.
struct ReceivedHead {
    let handle: OpaquePointer
    let url, method, version: UnsafePointer<CChar>

    /// The head, from the method to the empty line, as libmicrohttpd has left it: with NULs at the ends of names and values.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: method, count: CMicroHTTPD_head_size(handle))
    }
}

/// The last accepted head of a connection, which most clients send again with their next request.
///
/// What the server reads from a head, and whether it accepts the head, depends only on what `isSame(as:)` compares: the target, the bytes
/// that libmicrohttpd has left in its buffer, and where in them it has found everything. The bytes alone do not suffice. Because
/// libmicrohttpd writes NULs into them, a head that contained a NUL can look like a head with one more header.
struct AcceptedHead {
    /// Where a header is, counted in bytes from the beginning of the head.
    fileprivate struct Field {
        let name, nameSize, value, valueSize: UInt16
    }

    /// How the server finds the end of the body; `nil` if no head is stored.
    private(set) var framing: RequestHead.Framing?
    /// The target before libmicrohttpd decoded it, with a NUL at its end.
    private var target: [CChar] = []
    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    private var url = 0
    private var version = 0

    /// Longer heads are not stored, because each connection has the memory.
    private static let maximumSize = 2048

    /// Whether the stored head has this target.
    func hasTarget(_ target: UnsafePointer<CChar>) -> Bool {
        framing != nil && strcmp(target, self.target) == 0
    }

    /// Whether the server would read the same from both heads. Compare the targets before.
    func isSame(as head: ReceivedHead) -> Bool {
        let received = head.bytes
        guard framing != nil, received.count == bytes.count, let start = received.baseAddress,
            head.url - head.method == url, head.version - head.method == version,
            memcmp(start, bytes, bytes.count) == 0
        else { return false }
        return fields.withUnsafeBufferPointer { fields in
            var comparison = Comparison(start: start, fields: fields)
            CMicroHTTPD_headers(head.handle, &comparison, compareHeader)
            return comparison.isSame && comparison.count == fields.count
        }
    }

    /// Stores a head that the server has accepted, unless it is long or not in one piece.
    mutating func store(_ head: ReceivedHead, target: String, framing: RequestHead.Framing) {
        forget()
        let received = head.bytes
        guard received.count <= Self.maximumSize, let start = received.baseAddress else { return }
        fields.removeAll(keepingCapacity: true)
        var collection = Collection(head: received, start: start, fields: fields)
        fields = []
        withUnsafeMutablePointer(to: &collection) { CMicroHTTPD_headers(head.handle, $0, storeHeader) }
        fields = collection.fields
        guard collection.isInside else { return }
        url = head.url - head.method
        version = head.version - head.method
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: received)
        self.target.removeAll(keepingCapacity: true)
        self.target.append(contentsOf: target.utf8.lazy.map { CChar(bitPattern: $0) })
        self.target.append(0)
        self.framing = framing
    }

    /// Forgets the head, so that no other is the same.
    mutating func forget() {
        framing = nil
    }

    /// The state of `isSame(as:)`.
    fileprivate struct Comparison {
        let start: UnsafeRawPointer
        let fields: UnsafeBufferPointer<Field>
        var count = 0
        var isSame = true

        mutating func compare(
            _ name: UnsafePointer<CChar>,
            _ nameSize: Int,
            _ value: UnsafePointer<CChar>,
            _ valueSize: Int
        ) {
            guard count < fields.count else {
                isSame = false
                return
            }
            let field = fields[count]
            count &+= 1
            isSame =
                UnsafeRawPointer(name) - start == Int(field.name) && nameSize == Int(field.nameSize)
                && UnsafeRawPointer(value) - start == Int(field.value) && valueSize == Int(field.valueSize)
        }
    }

    /// The state of `store(_:target:framing:)`.
    fileprivate struct Collection {
        let head: UnsafeRawBufferPointer
        let start: UnsafeRawPointer
        var fields: [Field]
        /// Whether all headers are within the head.
        var isInside = true

        mutating func add(
            _ name: UnsafePointer<CChar>,
            _ nameSize: Int,
            _ value: UnsafePointer<CChar>,
            _ valueSize: Int
        ) {
            let (nameOffset, valueOffset) = (UnsafeRawPointer(name) - start, UnsafeRawPointer(value) - start)
            guard nameOffset >= 0, nameOffset + nameSize <= head.count,
                valueOffset >= 0, valueOffset + valueSize <= head.count
            else {
                isInside = false
                return
            }
            // They fit, because a stored head has at most 2 KiB.
            fields.append(
                Field(
                    name: UInt16(nameOffset),
                    nameSize: UInt16(nameSize),
                    value: UInt16(valueOffset),
                    valueSize: UInt16(valueSize)
                )
            )
        }
    }
}

/// Compares a header with the next one of the `Comparison` behind the context.
private func compareHeader(
    context: UnsafeMutableRawPointer?,
    kind: Int32,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> Int32 {
    guard let comparison = context?.assumingMemoryBound(to: AcceptedHead.Comparison.self) else { return 0 }
    guard let name, let value else {
        comparison.pointee.isSame = false
        return 0
    }
    comparison.pointee.compare(name, nameSize, value, valueSize)
    return comparison.pointee.isSame ? 1 : 0
}

/// Adds a header to the `Collection` behind the context.
private func storeHeader(
    context: UnsafeMutableRawPointer?,
    kind: Int32,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> Int32 {
    guard let collection = context?.assumingMemoryBound(to: AcceptedHead.Collection.self) else { return 0 }
    guard let name, let value else {
        collection.pointee.isInside = false
        return 0
    }
    collection.pointee.add(name, nameSize, value, valueSize)
    return collection.pointee.isInside ? 1 : 0
}
