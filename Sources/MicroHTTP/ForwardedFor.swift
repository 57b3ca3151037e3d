internal import HTTPMessages
internal import Addresses

extension TrustedProxies {
    /// The address of the client behind a trusted proxy, from `X-Forwarded-For` or `Forwarded` (RFC 7239).
    ///
    /// Each proxy adds the address of its own client at the end of the list. So this reads the list from the end. The client is the first
    /// address that is not a trusted proxy. If the list ends before such an address, or contains an invalid element before it, the client
    /// is the last address read.
    ///
    /// If the request has both headers, this reads only `X-Forwarded-For`, because most proxies write that header, and pass on a client's
    /// `Forwarded` unchanged.
    ///
    /// - Parameter peer: the proxy's own address; `nil` for a Unix domain socket. It is the result if the headers yield no address.
    func client(behind peer: IPAddress?, _ headers: Headers) -> IPAddress? {
        var client: IPAddress?
        let isForwarded = headers.count(of: .xForwardedFor) == 0
        reading: for var line in headers.values(isForwarded ? .forwarded : .xForwardedFor).reversed() {
            while let element = line.popLastElement() {
                if element.isEmpty { continue }
                guard let node = isForwarded ? element.forwardedFor : element, let address = IPAddress(node: node[...])
                else { break reading }
                client = address
                if !contains(address) { break reading }
            }
        }
        return client ?? peer
    }
}

extension IPAddress {
    /// The address in a node's name (RFC 7239, section 6), with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`; `nil` for `unknown`,
    /// obfuscated names and all other texts.
    ///
    /// Accepts an IPv6 address without brackets, because many proxies write it so.
    fileprivate init?(node: ArraySlice<UInt8>) {
        var address = node
        if node.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: UInt8(ascii: "]")), node[(end + 1)...].isPort else { return nil }
            address = node[(node.startIndex + 1)..<end]
            guard address.contains(UInt8(ascii: ":")) else { return nil }
        } else if let colon = node.firstIndex(of: UInt8(ascii: ":")), node[..<colon].contains(UInt8(ascii: ".")) {
            guard node[colon...].isPort else { return nil }
            address = node[..<colon]
        }
        guard !address.contains(UInt8(ascii: "%")) else { return nil }
        self.init(address)
    }
}

extension ArraySlice<UInt8> {
    /// Whether this is empty, or a colon and a port, which may be obfuscated.
    fileprivate var isPort: Bool {
        guard let first else { return true }
        let port = dropFirst()
        guard first == UInt8(ascii: ":"), let start = port.first else { return false }
        if start == UInt8(ascii: "_") { return port.count > 1 && port.allSatisfy(\.isTokenByte) }
        return port.count <= 5 && port.allSatisfy(\.isDigit)
    }

    /// Removes and returns the last element of a comma-separated list; `nil` if the list is empty.
    ///
    /// Finds quoted strings from the end, so that a client's unmatched quotation mark cannot hide what proxies added.
    fileprivate mutating func popLastElement() -> ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        var isQuoted = false
        var index = endIndex
        while index > startIndex {
            index -= 1
            if self[index] == UInt8(ascii: "\""), !isQuoted || !isEscaped(index) { isQuoted.toggle() }
            if self[index] == UInt8(ascii: ","), !isQuoted {
                let element = self[(index + 1)...].trimmed
                self = self[..<index]
                return element
            }
        }
        let element = trimmed
        self = []
        return element
    }

    /// Whether an odd number of backslashes precedes the byte.
    private func isEscaped(_ index: Int) -> Bool {
        self[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// The value of `for` in an element of `Forwarded` (RFC 7239, section 4); `nil` if the element is malformed, or does not have exactly
    /// one `for`.
    fileprivate var forwardedFor: ArraySlice<UInt8>? {
        var node: ArraySlice<UInt8>?
        var rest = self
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = rest[..<equals].trimmed
            rest = rest[(equals + 1)...]
            guard let value = rest.popValue() else { return nil }
            if name.elementsEqual("for".utf8, by: { $0 | 0x20 == $1 }) {
                if node != nil { return nil }
                node = value
            }
        }
        return node
    }

    /// Removes the value of a pair and the semicolon after it, and returns the value; `nil` if the value is malformed.
    private mutating func popValue() -> ArraySlice<UInt8>? {
        guard first == UInt8(ascii: "\"") else {
            let value = prefix { $0 != UInt8(ascii: ";") }
            self = self[value.endIndex...].dropFirst()
            return value.contains(UInt8(ascii: "\"")) ? nil : value.trimmed
        }
        var value: [UInt8] = []
        var index = startIndex + 1
        while index < endIndex, self[index] != UInt8(ascii: "\"") {
            if self[index] == UInt8(ascii: "\\") { index += 1 }
            if index < endIndex { value.append(self[index]) }
            index += 1
        }
        guard index < endIndex else { return nil }
        self = self[(index + 1)...].trimmed
        guard isEmpty || first == UInt8(ascii: ";") else { return nil }
        self = dropFirst()
        return value[...]
    }
}
