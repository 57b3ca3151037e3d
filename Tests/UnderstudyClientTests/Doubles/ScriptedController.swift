import BusinessLogic
import Understudy
import UnderstudyTesting

/// A controller whose events do what a test lists.
final class ScriptedController: BusinessLogicController {
    enum Step: Sendable {
        case render(String, Value)
        case alert(Message)
        case go(String)
        /// Waits for the test.
        case wait(Latch)
        case fail(any Error & Sendable)
    }

    static let events: EventTable<ScriptedController> = [
        // A test chooses the commands.
        .default("act") { try await $0.act() }
    ]

    /// A page whose first event does what the first list says, and so on. The last list is for all further events.
    static func page(_ scripts: [Step]...) -> Page {
        let rest = LockedValue(scripts)
        return Page("scripted") { _ in
            ScriptedController { rest.change { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        }
    }

    weak var controllable: (any Controllable)?
    typealias State = NoState
    private let nextScript: () -> [Step]

    private init(nextScript: @escaping () -> [Step]) {
        self.nextScript = nextScript
    }

    private func act() async throws {
        for step in nextScript() {
            switch step {
            case .render(let key, let value): controllable?.render(key, value)
            case .alert(let message): controllable?.showAlert(message)
            case .go(let name): controllable?.goToPage(name)
            case .wait(let latch): await latch.wait()
            case .fail(let error): throw error
            }
        }
    }
}

/// Where controllers wait until a test opens it.
final class Latch: Sendable {
    private let isOpen = LockedValue(false)
    private let waiting = LockedValue<[CheckedContinuation<Void, Never>]>([])
    /// How many have come so far.
    let count = LockedValue(0)

    func wait() async {
        await withCheckedContinuation { continuation in
            waiting.change { $0.append(continuation) }
            count.change { $0 += 1 }
            if isOpen.value { resumeAll() }
        }
    }

    func open() {
        isOpen.value = true
        resumeAll()
    }

    private func resumeAll() {
        let all = waiting.change { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }
}
