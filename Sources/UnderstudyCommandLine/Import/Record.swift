/// The values of one account or product in a file.
struct Record: Equatable {
    /// The number of its line, from 1.
    let line: Int
    /// The values by the names of its members, without empty values and null.
    let values: [String: String]
}
