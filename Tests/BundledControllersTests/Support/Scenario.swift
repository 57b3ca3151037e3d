import BusinessLogic
import TestSupport
import UnderstudyTesting

/// What a person does on one page, step by step.
struct Scenario {
    struct Step {
        let event: Event
        let values: Value.Object
        let delay: Duration

        /// After a while, the fields are filled and the event happens.
        init(_ event: Event, _ values: Value.Object = [:], after delay: Duration = .zero) {
            self.event = event
            self.values = values
            self.delay = delay
        }
    }

    let steps: [Step]

    /// The history of the scenario. When `movingHouse`, everything is taken out, sent through JSON and put back into
    /// new objects before every step, as when each event is handled by another process.
    func history(
        movingHouse: Bool,
        makeController: (ManualClock) -> some BusinessLogicController
    ) async throws -> [CommandHistory.Entry] {
        let clock = ManualClock()
        var recorder = ResponseRecorder(page: "page")
        var controller = makeController(clock)
        recorder.eventable = controller
        for step in steps {
            if movingHouse {
                let kept = try throughJSON(Array(recorder.history.kept))
                let movedRecorder = ResponseRecorder(page: "page", history: CommandHistory(kept: kept))
                let movedController = makeController(clock)
                movedRecorder.state = try throughJSON(recorder.state)
                movedController.state = try throughJSON(controller.state)
                movedRecorder.eventable = movedController
                (recorder, controller) = (movedRecorder, movedController)
            }
            clock.advance(by: step.delay)
            for (name, value) in step.values { recorder.setValue(value, for: name) }
            try await recorder.dispatchEvent(step.event)
        }
        return Array(recorder.history.kept)
    }
}
