import BusinessLogic
import Synchronization

/// The slots of all days, in memory. Each change of a day's slots publishes the day's topic.
final class Slots: SlotStoring {
    /// How long a customer can hold a slot before booking it.
    static let holdDuration = Duration.seconds(120)

    fileprivate struct Claim {
        let customer: String
        /// When the hold ends; `nil` if the slot is booked.
        let end: Timestamp?

        func isValid(at now: Timestamp) -> Bool { end.map { $0 > now } ?? true }
    }

    private let claims = Mutex<[Day: [SlotTime: Claim]]>([:])
    private let topics: any TopicPublisher
    private let clock: any WallClock

    init(topics: any TopicPublisher, clock: any WallClock) {
        self.topics = topics
        self.clock = clock
    }

    func slots(on day: Day, for customer: String) -> DaySlots {
        let now = clock.now
        let valid = (claims.withLock { $0[day] } ?? [:]).filter { $0.value.isValid(at: now) }
        let slots = SlotTime.allCases.map { time in
            Slot(time: time, availability: valid[time].map { $0.availability(for: customer) } ?? .free)
        }
        return DaySlots(slots: slots, nextEnd: valid.values.compactMap(\.end).min())
    }

    func hold(_ time: SlotTime, on day: Day, for customer: String) -> Timestamp? {
        let now = clock.now
        let end = now + Self.holdDuration
        let isHeld = claims.withLock { claims in
            let claim = claims[day]?[time]
            if let claim, claim.isValid(at: now), claim.customer != customer || claim.end == nil { return false }
            claims[day] = claims[day]?.filter { $0.value.customer != customer || $0.value.end == nil }
            claims[day, default: [:]][time] = Claim(customer: customer, end: end)
            return true
        }
        guard isHeld else { return nil }
        topics.publish(.slots(on: day))
        return end
    }

    func book(_ time: SlotTime, on day: Day, for customer: String) -> Bool {
        let now = clock.now
        let isBooked = claims.withLock { claims in
            guard let claim = claims[day]?[time], claim.customer == customer, claim.end != nil, claim.isValid(at: now)
            else { return false }
            claims[day]?[time] = Claim(customer: customer, end: nil)
            return true
        }
        if isBooked { topics.publish(.slots(on: day)) }
        return isBooked
    }

    func release(for customer: String) {
        let days = claims.withLock { claims in
            let days = claims.filter { $0.value.values.contains { $0.isHeld(by: customer) } }.keys
            for day in days { claims[day] = claims[day]?.filter { !$0.value.isHeld(by: customer) } }
            return days
        }
        for day in days { topics.publish(.slots(on: day)) }
    }
}

extension Slots.Claim {
    fileprivate func isHeld(by other: String) -> Bool { customer == other && end != nil }

    fileprivate func availability(for other: String) -> Availability {
        customer == other ? .yours : end == nil ? .booked : .held
    }
}

extension Topic {
    /// The slots of a day.
    static func slots(on day: Day) -> Topic { Topic("slots", key: "\(day)") }
}
