/// A screen that undoes what an event of a local controller has shown, if the event fails.
///
/// Not part of ``Controllable``: a screen that is written by hand may do without.
package protocol UndoingScreen: AnyObject {
    /// The screen holds back what it could not undo.
    func beginEvent()
    func endEvent(isSuccessful: Bool)
}

extension BusinessLogicController {
    /// Runs an event, or an update, whose commands the screen undoes if it fails.
    func runEvent(at index: Int) async throws {
        let screen = controllable as? any UndoingScreen
        screen?.beginEvent()
        do {
            try await handleEvent(at: index) {}
        } catch {
            screen?.endEvent(isSuccessful: false)
            throw error
        }
        screen?.endEvent(isSuccessful: true)
    }
}
