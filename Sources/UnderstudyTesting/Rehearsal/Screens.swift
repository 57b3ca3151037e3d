#if canImport(Understudy)
    public import BusinessLogic
    public import Understudy
    internal import UnderstudyClient

    /// The screens of one session, one for each page.
    public final class Screens {
        private let screens: [(page: Page, screen: TestControllable)]
        private let topics: Topics
        private let clock: ManualClock
        /// Ends the session, and runs the hooks of the pages.
        private var end: () async throws -> Void = {}

        /// The screens of controllers that run in a service.
        init(
            _ pages: [Page],
            _ origin: CallSite,
            _ topics: Topics,
            _ clock: ManualClock,
            endingSession end: @escaping () async throws -> Void,
            remote eventable: (Page) -> RemoteEventable
        ) {
            (self.topics, self.clock, self.end) = (topics, clock, end)
            screens = pages.map { page in
                let eventable = eventable(page)
                let screen = TestControllable(eventable, events: page.events, origin: origin)
                screen.runUpdates = { try await eventable.receiveUpdates() }
                return (page, screen)
            }
        }

        /// The screens of controllers that run in this process. As in a service, a session's next user finds nothing of the previous
        /// one.
        init(_ pages: [Page], _ origin: CallSite, _ topics: Topics, _ clock: ManualClock) {
            (self.topics, self.clock) = (topics, clock)
            let (identity, values) = (SessionIdentity(user: nil), SessionValues())
            let controller = { (page: Page) in page.make(PageContext(identity: identity, values: values)) }
            screens = pages.map { page in
                let screen = TestControllable(
                    controller(page),
                    events: page.events,
                    identity: identity,
                    sessionValues: values,
                    origin: origin
                )
                return (page, screen)
            }
            for (_, screen) in screens {
                screen.beforeEvent = { [unowned screen] in
                    // After a logout. As in a service, a failure does not concern the next event.
                    try? await Self.runHooks(of: pages, values.takeFormerKey())
                    await screen.runDueUpdates(topics, at: clock.now)
                    screen.startUpdates(topics)
                    identity.beginEvent(from: nil)
                }
                screen.runUpdates = { [unowned screen] in await screen.runDueUpdates(topics, at: clock.now) }
                screen.afterEvent = { [unowned self] in
                    guard identity.hasLoggedOut else { return }
                    values.removeAll()
                    for (page, screen) in screens { screen.replaceLogic(by: controller(page)) }
                }
            }
            end = { [unowned self] in
                let key = values.key
                identity.restore(nil)
                values.removeAll()
                values.restoreKey(nil)
                for (page, screen) in screens { screen.replaceLogic(by: controller(page)) }
                try await Self.runHooks(of: pages, key)
            }
        }

        /// Publishes a topic, and runs the updates of the screens that follow it, in the order of the pages.
        ///
        /// - Throws: what sending requests throws, if the controllers run in a service.
        public func publish(_ topic: Topic) async throws {
            topics.publish(topic)
            try await update()
        }

        /// Advances the clock of the rehearsal, and runs the timers that are due then, in the order of the pages.
        ///
        /// - Throws: what sending requests throws, if the controllers run in a service.
        public func advance(by duration: Duration) async throws {
            clock.advance(by: duration)
            try await update()
        }

        /// Ends the session, as if it had expired, and runs the hooks that the pages declare as `onSessionEnd`. The next event starts a new
        /// session.
        ///
        /// - Throws: what sending requests throws, if the controllers run in a service; otherwise, what a hook throws.
        public func endSession() async throws {
            try await end()
        }

        private static func runHooks(of pages: [Page], _ key: String?) async throws {
            guard let key else { return }
            for page in pages { try await page.onSessionEnd?(EndedSession(key: key)) }
        }

        private func update() async throws {
            for (_, screen) in screens { try await screen.runUpdates() }
        }

        /// The screen of that page.
        ///
        /// - Precondition: the scenario runs on the page.
        public subscript(page: Page) -> TestControllable {
            self[page.name]
        }

        /// The screen of the page with that name.
        ///
        /// - Precondition: the scenario runs on such a page.
        public subscript(name: String) -> TestControllable {
            guard let screen = screens.first(where: { $0.page.name == name })?.screen else {
                preconditionFailure("The scenario does not run on the page '\(name)'")
            }
            return screen
        }

        /// Goes where the last event of a page went: sends the destination's default event with the command's values, as a client
        /// does that follows `href`. If the command has no values and the default event reads fields, only shows the page, because
        /// the user must fill in the fields first.
        ///
        /// The test fails if the page went nowhere, if its destination is not a page of the scenario, or if the values are not those
        /// that the page's default event reads.
        ///
        /// - Returns: the screen of the destination; the same screen if the test has failed.
        /// - Throws: what the destination's controller throws.
        @discardableResult
        public func followDestination(
            of page: Page,
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column
        ) async throws -> TestControllable {
            let site = CallSite(fileID, filePath, line, column)
            guard let destination = self[page].destination else {
                site.fail("The last event of the page '\(page.name)' did not go to another page.")
                return self[page]
            }
            let declared = page.destinations.first { $0.name == destination.name }
            guard let (target, screen) = screens.first(where: { $0.page.name == declared?.page }) else {
                site.fail("'\(destination.name)' is not a page of the scenario: \(screens.map(\.page.name)).")
                return self[page]
            }
            guard let declaration = target.events.first(where: \.isDefault) else { return screen }
            let values = destination.values
            if values.isEmpty, declaration.reads.contains(where: { $0.whenAbsent == nil }) { return screen }
            if let other = values.first(where: { !declaration.reads.map(\.name).contains($0.name) })?.name {
                site.fail(
                    "The event '\(declaration.event.name)' of the page '\(target.name)' does not read the value '\(other)'."
                )
                return self[page]
            }
            do {
                try await screen.send(declaration.event, values, at: site)
            } catch let error as EventError {
                site.fail("The values \(values) do not fit the page '\(target.name)': \(error)")
                return self[page]
            }
            return screen
        }

        func finish() {
            for (_, screen) in screens { screen.finish() }
        }
    }
#endif
