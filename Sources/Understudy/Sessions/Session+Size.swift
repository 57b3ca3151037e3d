public import BusinessLogic

extension SessionLimits {
    /// Whether a session can hold a page that renders that value, and the response to the event that had it rendered.
    public func canShow(_ value: Value) -> Bool {
        Session.emptySize + value.memorySize + value.json.count + 2048 <= maximumSize
    }
}

/// How much memory a session takes. What its controllers hold besides their state is not known, and not counted.
extension Session {
    /// The bytes of a session without pages, and of its places in the store.
    private static let baseSize = 768
    /// The bytes of a session with one page without content.
    fileprivate static let emptySize = baseSize + Screen.baseSize

    /// The bytes of everything but the history and the stored responses, which can be removed.
    var contentSize: Int {
        var size = Self.baseSize
        for screen in screens { size += screen.size }
        if let user = identity.user { size += user.username.memorySize + (user.id?.memorySize ?? 0) }
        return size
    }

    /// All bytes that the session takes.
    var memorySize: Int { contentSize + history.memorySize + replies.memorySize }

    /// Removes the oldest commands and responses until the session takes at most so many bytes. The newest response stays:
    /// the event was admitted only because there is room for it.
    ///
    /// - Returns: the bytes for which the session counts, in whole KiB, so that hardly any event changes them.
    func trimmedSize(maximum: Int) -> Int {
        var size = memorySize
        if size > maximum {
            trim(toSize: maximum)
            size = memorySize
        }
        return (size + 1023) & ~1023
    }

    private func trim(toSize maximum: Int) {
        let room = max(0, maximum - contentSize)
        replies.trim(toMemorySize: max(room / 2, room - history.memorySize))
        history.trim(toMemorySize: max(0, room - replies.memorySize))
    }
}

extension Session.Screen {
    /// The bytes of a page's recorder and controller without content.
    fileprivate static let baseSize = 512

    /// Notes how many bytes the screen takes now.
    func measure() {
        size = Self.baseSize + recorder.memorySize + controller.stateSize
    }

    /// Whether the screen will take at most so many bytes when the event that is being handled is kept.
    func fitsEvent(in room: Int) -> Bool {
        stateSize = controller.stateSize
        // Nearly always there is room for the most that the event can take, so that the sum need not be exact.
        return size + recorder.largestGrowth + stateSize <= room
            || Self.baseSize + recorder.memorySizeOfCommit(dropping: page.secrets) + stateSize <= room
    }

    /// Notes how many bytes the screen takes after an event that fits in that room.
    func settle(in room: Int) {
        size = Self.baseSize + recorder.memorySize + stateSize
        if size > room {
            // It fits, but has made room for as many members again.
            recorder.compact()
            size = Self.baseSize + recorder.memorySize + stateSize
        }
    }
}
