package import BusinessLogic
import UnderstudyPages

/// The updates of a page in a session.
///
/// Use it only while holding the session's lock.
package final class ScreenUpdates {
    package var progress = UpdateProgress()
    /// The controller's clock; `nil` for that of the service.
    let clock: (any WallClock)?

    init(clock: (any WallClock)?) {
        self.clock = clock
    }
}

/// When the updates of a session have last run.
///
/// Use it only while holding the session's lock.
package final class LastUpdates {
    /// `nil` if no update has run for a waiting request.
    package var start: ContinuousClock.Instant?
    package var hasFailed = false
}

extension Session {
    package var hasUpdates: Bool { lastUpdates != nil }

    package var screensWithUpdates: [Screen] { screens.filter { $0.updates != nil } }

    package var followedTopics: [Topic] { screensWithUpdates.flatMap { $0.controller.followedTopics } }

    /// How long it takes until the next timer of a controller is due; `nil` if no controller has a timer. Controllers without their own clock use
    /// `clock`.
    package func durationUntilTimer(_ clock: any WallClock) -> Duration? {
        screensWithUpdates.compactMap { screen -> Int64? in
            guard let updates = screen.updates else { return nil }
            let next = updates.progress.nextTimer(of: screen.controller)
            return next?.milliseconds(since: (updates.clock ?? clock).now)
        }.min().map { .milliseconds($0) }
    }
}

extension Session.Screen {
    /// If no update is due, the page counts as having seen all publications. A controller without its own clock uses `clock`.
    package func dueUpdates(_ topics: Topics, _ clock: any WallClock) -> DueUpdates? {
        guard let updates else { return nil }
        let due = updates.progress.due(of: controller, topics, at: (updates.clock ?? clock).now)
        return due.indices.isEmpty ? nil : due
    }
}

package struct PendingUpdate {
    package let page: String
    package let event: Event
    /// `nil` if the update follows topics.
    package let time: Timestamp?
    fileprivate let index: Int
}

extension Session {
    /// The updates that can run, whether they are due or not.
    package var pendingUpdates: [PendingUpdate] {
        screens.flatMap { screen in
            guard let updates = screen.updates else { return [PendingUpdate]() }
            return updates.progress.pending(of: screen.controller).map { index, time in
                PendingUpdate(
                    page: screen.page.name,
                    event: screen.page.declarations[index].event,
                    time: time,
                    index: index
                )
            }
        }
    }

    /// The update does not run again for the same time.
    package func finish(_ update: PendingUpdate?) {
        guard let update, let screen = screens.first(where: { $0.page.name == update.page }) else { return }
        screen.updates?.progress.finish(update.index, at: update.time)
    }
}
