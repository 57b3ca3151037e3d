#if canImport(Understudy)
    public import BusinessLogic
    public import Understudy
    internal import UnderstudyClient

    /// The screens of one session, one for each page.
    public final class Screens {
        private let screens: [(page: Page, screen: TestControllable)]
        private let topics: Topics
        private let clock: ManualClock
        private var end: () async throws -> Void = {}

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
                let screen = TestControllable(eventable)
                (screen.events, screen.origin) = (page.events, origin)
                screen.runUpdates = { try await eventable.receiveUpdates() }
                return (page, screen)
            }
        }

        /// For controllers that run in this process. As in a service, a session's next user finds nothing of the previous one.
        init(_ pages: [Page], _ origin: CallSite, _ topics: Topics, _ clock: ManualClock) {
            (self.topics, self.clock) = (topics, clock)
            let (identity, values) = (SessionIdentity(user: nil), SessionValues())
            let controller = { (page: Page) in page.make(PageContext(identity: identity, values: values)) }
            screens = pages.map { page in
                let screen = TestControllable(controller(page), identity: identity, sessionValues: values)
                screen.origin = origin
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
        public func endSession() async throws { try await end() }

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
        public subscript(page: Page) -> TestControllable { self[page.name] }

        /// The screen of the page with that name.
        ///
        /// - Precondition: the scenario runs on such a page.
        public subscript(name: String) -> TestControllable {
            guard let screen = screens.first(where: { $0.page.name == name })?.screen else {
                preconditionFailure("The scenario does not run on the page '\(name)'")
            }
            return screen
        }

        func finish() {
            for (_, screen) in screens { screen.finish() }
        }
    }
#endif
