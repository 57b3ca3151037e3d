internal import Addresses

extension TrustedProxies {
    /// The client behind a proxy that is trusted, as the proxies say it in `X-Forwarded-For` or `Forwarded` (RFC 7239).
    ///
    /// Each proxy adds whom it has heard from at the end. So the list is read from there: whoever is trusted is believed, and
    /// the first who is not is the client. What cannot be understood ends the reading. Where both headers are there,
    /// X-Forwarded-For counts, since most proxies write that one and pass the other on as it came, from anybody.
    ///
    /// - Parameter peer: the proxy's own address, which is the client's where the headers say nothing.
    func client(behind peer: IPAddress?, _ headers: Headers) -> IPAddress? {
        var client: IPAddress?
        let isForwarded = headers.count(of: .xForwardedFor) == 0
        let lines = isForwarded ? headers.reversed(.forwarded) : headers.reversed(.xForwardedFor)
        reading: for var line in lines {
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

extension Headers {
    fileprivate func reversed(_ name: HeaderName) -> [ArraySlice<UInt8>] {
        count(of: name) == 0 ? [] : values(name).reversed()
    }
}

extension IPAddress {
    /// The address in a node's name (RFC 7239, section 6), with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`. Also
    /// one of IPv6 without brackets, as many proxies write it. `nil` for `unknown`, for names that proxies make up, and for
    /// anything else.
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
    /// Whether this is nothing, or a colon with a port behind, which may be one that a proxy has made up.
    fileprivate var isPort: Bool {
        guard let first else { return true }
        let port = dropFirst()
        guard first == UInt8(ascii: ":"), let start = port.first else { return false }
        if start == UInt8(ascii: "_") { return port.count > 1 && port.allSatisfy(\.isTokenByte) }
        return port.count <= 5 && port.allSatisfy(\.isDigit)
    }

    /// Takes the last element off a list with commas between; `nil` where there is none left.
    ///
    /// Texts in quotation marks are found from the end, so that a mark that a client has left open cannot swallow what
    /// proxies have added.
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

    /// Whether an odd number of backslashes stands before the byte.
    private func isEscaped(_ index: Int) -> Bool {
        self[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// What an element of `Forwarded` (RFC 7239, section 4) has as `for`; `nil` where it has none, has two, or is broken.
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

    /// Takes off the value of a pair, and the semicolon behind it; `nil` where it is broken.
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
