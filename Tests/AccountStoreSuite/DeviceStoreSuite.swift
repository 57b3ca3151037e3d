/// The behaviour of every store of devices.
public enum DeviceStoreSuite {
    static let ada = Account.ada
    static let bob = Account.bob
    /// All behaviours. Check each with an empty store.
    public static let behaviours: [Behaviour<any AccountStore>] = adding + removing + failures

    fileprivate static let now = Timestamp.ms(1_700_000_000_123)

    fileprivate static func key(_ number: Int) -> DeviceKey {
        DeviceKey(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
    }

    static func device(_ number: Int, of account: Account, expires: Duration = .seconds(10)) -> Device {
        Device(key: key(number), account: account.id, expires: now + expires)
    }

    static let adding: [Behaviour<any AccountStore>] = [
        Behaviour("a device is found by its key only") { store in
            try await store.add(ada)
            var device = device(1, of: ada)
            device.failures = 3
            #expect(try await store.add(device))
            #expect(try await store.device(key(1)) == device)
            #expect(try await store.device(key(2)) == nil)
            #expect(try await store.device(DeviceKey(bytes: [])) == nil)
        },
        Behaviour("a device replaces another one, of any account") { store in
            try await store.add([ada, bob])
            for number in 1...3 { try await store.add(device(number, of: ada)) }
            #expect(try await store.add(device(4, of: ada), replacing: key(1)))
            #expect(try await store.add(device(5, of: bob), replacing: key(2)))
            #expect(try await store.add(device(6, of: bob), replacing: key(77)))
            #expect(try await store.add(device(6, of: ada)))
            let found = try await store.devices(1...7)
            #expect(found.map { $0?.account } == [nil, nil, ada.id, ada.id, bob.id, ada.id, nil])
        },
        Behaviour("the devices of an account are listed, also those that have expired") { store in
            try await store.add([ada, bob])
            let devices = [device(1, of: ada), device(2, of: ada, expires: .seconds(1)), device(3, of: bob)]
            for device in devices { try await store.add(device) }
            #expect(try await store.devices(of: ada.id).sorted { $0.expires > $1.expires } == Array(devices.prefix(2)))
            #expect(try await store.devices(of: AccountID("missing")).isEmpty)
        },
        Behaviour("agents and devices of an account count separately") { store in
            try await store.add(ada)
            func agent(_ number: Int) -> Device {
                let grant = AgentGrant(name: "\u{301} \(number) ", mayChange: number == 2)
                return Device(key: key(number), account: ada.id, expires: now + .seconds(number), agent: grant)
            }
            for number in 1...3 { try await store.add(agent(number), limit: 2) }
            for number in 4...6 { try await store.add(device(number, of: ada, expires: .seconds(number)), limit: 2) }
            #expect(try await Set(store.devices(of: ada.id).map(\.key)) == [key(2), key(3), key(5), key(6)])
            #expect(try await store.device(key(2)) == agent(2))
            #expect(try await store.device(key(3)) == agent(3))
        },
        Behaviour("an account that does not exist or is disabled gets no device") { store in
            var ada = Account.ada
            ada.isDisabled = true
            try await store.add([ada, bob])
            #expect(try await store.add(device(1, of: bob)))
            for account in [ada, .sample("missing")] {
                #expect(try await !store.add(device(2, of: account), replacing: key(1)))
            }
            #expect(try await store.devices(1...2).map { $0?.account } == [bob.id, nil])
        },
    ]

    static let removing: [Behaviour<any AccountStore>] = [
        Behaviour("of an account with too many devices, those that expire first are removed") { store in
            try await store.add([ada, bob])
            try await store.add(device(1, of: bob, expires: .seconds(1)), limit: 2)
            for (number, seconds) in [(2, 30), (3, 10), (4, 20), (5, 5)] {
                #expect(try await store.add(device(number, of: ada, expires: .seconds(seconds)), limit: 2))
            }
            #expect(try await store.existing(1...5) == [1, 2, 5])
            #expect(try await store.add(device(6, of: ada), limit: 1))
            #expect(try await store.existing(1...6) == [1, 6])
        },
        Behaviour("devices that have expired are removed when one is added") { store in
            try await store.add([ada, bob])
            for number in 1...3 { try await store.add(device(number, of: ada, expires: .seconds(number))) }
            #expect(try await store.device(key(1)) != nil)
            #expect(try await store.add(device(4, of: bob), at: now + .seconds(2)))
            #expect(try await store.existing(1...4) == [3, 4])
        },
        Behaviour("revoking the sessions of an account removes its devices only") { store in
            try await store.add([ada, bob])
            for (number, account) in [(1, ada), (2, ada), (3, bob)] { try await store.add(device(number, of: account)) }
            try await store.change(ada.id) { $0.name = "Ada" }
            #expect(try await store.existing(1...3) == [1, 2, 3])
            try await store.change(ada.id, revokingSessions: true) { $0.name = "Ada" }
            #expect(try await store.existing(1...3) == [3])
            #expect(try await store.remove(bob.id))
            #expect(try await store.device(key(3)) == nil)
        },
        Behaviour("a removed device is gone, and others stay") { store in
            try await store.add(ada)
            for number in 1...2 { try await store.add(device(number, of: ada)) }
            for _ in 1...2 { try await store.removeDevice(key(1)) }
            #expect(try await store.existing(1...2) == [2])
            #expect(try await store.devices(of: ada.id).map(\.key) == [key(2)])
        },
        Behaviour("a failed change keeps the devices of the account") { store in
            struct Refusal: Error {}
            try await store.add(ada)
            try await store.add(device(1, of: ada))
            await #expect(throws: Refusal.self) {
                try await store.change(ada.id, revokingSessions: true) { _ in throw Refusal() }
            }
            #expect(try await store.device(key(1)) != nil)
        },
    ]

    static let failures: [Behaviour<any AccountStore>] = [
        Behaviour("the failures of a device are saved, and those of an unknown one are ignored") { store in
            try await store.add(ada)
            for number in 1...2 { try await store.add(device(number, of: ada)) }
            let before = try await store.updateFailures(of: key(1)) { failures in
                defer { failures = 4 }
                return failures
            }
            #expect(before == 0)
            #expect(try await store.device(key(1))?.failures == 4)
            #expect(try await store.device(key(2))?.failures == 0)
            let unknown: Void? = try await store.updateFailures(of: key(3)) { $0 += 1 }
            #expect(unknown == nil)
            #expect(try await store.device(key(3)) == nil)
        },
        Behaviour("none of two hundred simultaneous failures of a device is lost") { store in
            try await store.add(ada)
            try await store.add(device(1, of: ada))
            try await concurrently(200) { _ in _ = try await store.updateFailures(of: key(1)) { $0 += 1 } }
            #expect(try await store.device(key(1))?.failures == 200)
        },
    ]
}

extension AccountStore {
    /// Adds a device at a time at which none has expired.
    @discardableResult
    fileprivate func add(
        _ device: Device,
        replacing replaced: DeviceKey? = nil,
        limit: Int = 9,
        at now: Timestamp = DeviceStoreSuite.now
    ) async throws -> Bool {
        try await addDevice(device, replacing: replaced, limit: limit, at: now)
    }

    /// Those of the numbers that devices have.
    fileprivate func existing(_ numbers: ClosedRange<Int>) async throws -> [Int] {
        zip(numbers, try await devices(numbers)).filter { $1 != nil }.map(\.0)
    }

    /// The devices with those numbers.
    fileprivate func devices(_ numbers: ClosedRange<Int>) async throws -> [Device?] {
        var devices: [Device?] = []
        for number in numbers { devices.append(try await device(DeviceStoreSuite.key(number))) }
        return devices
    }
}
