import BusinessLogic

/// A clock that stands still until a test moves it on.
final class SteeredClock: WallClock {
    private let time = Locked(Timestamp(milliseconds: 1_700_000_000_000))

    var now: Timestamp { time.value }

    func advance(by duration: Duration) {
        time.value = time.value + duration
    }
}
