package import BusinessLogic
import UnderstudyPages

extension SessionLimits {
    /// Whether a session can contain a page that renders that value, together with the stored response to its event, which contains the value
    /// twice if the client prefers the representation.
    package func canShow(_ value: Value) -> Bool {
        // The half is for what the controller's state repeats of the value, such as names.
        Session.emptySize + value.memorySize + value.memorySize / 2 + 2 * value.json.count + 2048 <= maximumSize
    }
}

/// How much memory a session takes. What its controllers store outside of their state is unknown, and not counted.
extension Session {
    /// The bytes of a session without pages, including its entries in the store.
    private static let baseSize = 768
    /// The bytes of a session with one page without content.
    fileprivate static let emptySize = baseSize + Screen.baseSize

    /// The bytes of everything except the history and the stored responses, which can be removed.
    var contentSize: Int {
        var size = Self.baseSize + valuesSize
        for screen in screens { size += screen.size }
        if let user = identity.user {
            size += user.username.memorySize + (user.id?.memorySize ?? 0)
            for role in user.roles { size += role.memorySize + MemoryLayout<String>.stride }
        }
        return size
    }

    /// All bytes that the session takes.
    var memorySize: Int { contentSize + history.memorySize + idempotencyCache.memorySize }

    /// Removes the oldest commands and responses until the session takes at most `maximum` bytes. The newest response stays,
    /// because space for it was reserved before the event was accepted.
    ///
    /// - Returns: the bytes that the session counts for, rounded up to whole KiB so that few events change them.
    package func trimmedSize(maximum: Int) -> Int {
        var size = memorySize
        if size > maximum {
            trim(toSize: maximum)
            size = memorySize
        }
        return (size + 1023) & ~1023
    }

    private func trim(toSize maximum: Int) {
        let room = max(0, maximum - contentSize)
        idempotencyCache.trim(toMemorySize: max(room / 2, room - history.memorySize))
        history.trim(toMemorySize: max(0, room - idempotencyCache.memorySize))
    }
}

extension Session.Screen {
    /// The bytes of a page's recorder and controller without content.
    fileprivate static let baseSize = 512

    /// Computes the bytes that the screen takes.
    func updateSize() {
        size = Self.baseSize + recorder.memorySize + controller.stateSize
    }

    /// Whether the screen takes at most `room` bytes after the current event is committed.
    func fitsEvent(in room: Int, stateSize: Int) -> Bool {
        // In most cases the upper bound fits, so that the exact size is not needed.
        return size + recorder.largestGrowth + stateSize <= room
            || Self.baseSize + recorder.memorySizeOfCommit(dropping: page.secrets) + stateSize <= room
    }

    /// Computes the bytes that the screen takes after an event that fits into `room`.
    func updateSizeAfterEvent(in room: Int, stateSize: Int) {
        size = Self.baseSize + recorder.memorySize + stateSize
        if size > room {
            // The content fits, but not the unused capacity.
            recorder.compact()
            size = Self.baseSize + recorder.memorySize + stateSize
        }
    }
}
