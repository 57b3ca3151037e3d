internal import HTTPMessages
internal import Addresses

extension TrustedProxies {
    /// The address of the client behind a trusted proxy, from `X-Forwarded-For`.
    ///
    /// Each proxy adds the address of its own client at the end of the list. So this reads the list from the end. The client is the first
    /// address that is not a trusted proxy. If the list ends before such an address, or contains an invalid element before it, the client
    /// is the last address read.
    ///
    /// This never reads `Forwarded` (RFC 7239), because most proxies pass on that of a client unchanged.
    ///
    /// - Parameter peer: the proxy's own address; `nil` for a Unix domain socket. It is the result if the header yields no address.
    func client(behind peer: IPAddress?, _ headers: Headers) -> IPAddress? {
        var client: IPAddress?
        reading: for var line in headers.values(.xForwardedFor).reversed() {
            while let element = line.popLastElement() {
                if element.isEmpty { continue }
                guard let address = IPAddress(node: element) else { break reading }
                client = address
                if !contains(address) { break reading }
            }
        }
        return client ?? peer
    }
}

extension IPAddress {
    /// The address in an element, with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`; `nil` for `unknown` and all other texts.
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
    /// Whether this is empty, or a colon and a port.
    fileprivate var isPort: Bool {
        guard let first else { return true }
        let port = dropFirst()
        return first == UInt8(ascii: ":") && 1...5 ~= port.count && port.allSatisfy(\.isDigit)
    }

    /// Removes and returns the last element of a comma-separated list; `nil` if the list is empty.
    fileprivate mutating func popLastElement() -> ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        let comma = lastIndex(of: UInt8(ascii: ","))
        let element = self[(comma.map { $0 + 1 } ?? startIndex)...].trimmed
        self = self[..<(comma ?? startIndex)]
        return element
    }
}
