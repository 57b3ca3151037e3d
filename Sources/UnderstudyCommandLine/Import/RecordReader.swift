/// Reads the records of a file one by one. Only one record is in memory.
protocol RecordReader: ~Copyable {
    /// The number of bytes that have been read.
    var position: Int { get }
    /// The number of bytes in the file; `nil` if it is unknown.
    var size: Int? { get }
    /// The reason why reading failed; `nil` if it did not.
    var readError: String? { get }

    /// Returns the next record; `nil` at the end.
    ///
    /// - Throws: ``RejectedLine`` if a record is malformed. The next call continues after it.
    mutating func next() throws(RejectedLine) -> Record?
}
