/// The values of one account or product in a file.
struct Record: Equatable {
    /// The number of its first line, from 1.
    let line: Int
    /// The values by the names of their columns, without empty values and null.
    let values: [String: String]
}
