import BusinessLogic

/// A time at which a customer can come.
enum SlotTime: String, ChoiceValue, Codable {
    case nine = "09:00"
    case ten = "10:00"
    case eleven = "11:00"
    case noon = "12:00"
}

/// Whether a customer can have a slot.
enum Availability: String, ChoiceValue, Codable {
    case free, held, booked, yours
}

/// A slot of a day, as one customer sees it.
struct Slot: ObjectValue, Codable, Equatable {
    let time: SlotTime
    let availability: Availability

    static let object = ObjectSchema(
        Slot.init(time:availability:),
        Member("time", \.time),
        Member("availability", \.availability)
    )
}

/// The slots of a day, as one customer sees them.
struct DaySlots: Codable, Sendable {
    var slots: [Slot]
    /// When the next slot that is held may be free again.
    var nextEnd: Timestamp?
}
