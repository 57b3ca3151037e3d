import ArgumentParser

/// The permissions of a file as chmod takes them: `0660`.
struct FileMode: SettingArgument, CustomStringConvertible {
    let bits: UInt32
    var settingValue: UInt32 { bits }

    init?(argument: String) {
        guard (3...4).contains(argument.utf8.count), argument.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let bits = UInt32(argument, radix: 8), bits <= 0o777
        else { return nil }
        self.bits = bits
    }

    var description: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
