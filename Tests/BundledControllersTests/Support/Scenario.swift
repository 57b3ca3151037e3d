import BusinessLogic
import TestSupport
import UnderstudyTesting

/// A user's events on one page, step by step.
struct Scenario {
    struct Step {
        let event: Event
        let values: Value.Object
        let delay: Duration

        /// After the delay, the fields are set and the event happens.
        init(_ event: Event, _ values: Value.Object = [:], after delay: Duration = .zero) {
            self.event = event
            self.values = values
            self.delay = delay
        }
    }

    let steps: [Step]

    /// The history of the scenario.
    ///
    /// - Parameter isRestored: before every step, all state is encoded as JSON and restored in new objects, as when another
    ///   process handles each event.
    func history(
        isRestored: Bool,
        makeController: (ManualClock) -> some BusinessLogicController
    ) async throws -> [CommandHistory.Entry] {
        let clock = ManualClock()
        var recorder = ResponseRecorder(page: "page")
        var controller = makeController(clock)
        recorder.eventable = controller
        for step in steps {
            if isRestored {
                let kept = try throughJSON(Array(recorder.history.kept))
                let restoredRecorder = ResponseRecorder(page: "page", history: CommandHistory(kept: kept))
                let restoredController = makeController(clock)
                restoredRecorder.state = try throughJSON(recorder.state)
                restoredController.state = try throughJSON(controller.state)
                restoredRecorder.eventable = restoredController
                (recorder, controller) = (restoredRecorder, restoredController)
            }
            clock.advance(by: step.delay)
            for (name, value) in step.values { recorder.setValue(value, for: name) }
            try await recorder.dispatchEvent(step.event)
        }
        return Array(recorder.history.kept)
    }
}
