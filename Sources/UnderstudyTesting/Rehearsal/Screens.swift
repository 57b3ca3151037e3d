#if canImport(Understudy)
    internal import BusinessLogic
    public import Understudy

    /// The screens of one session, one for each page.
    public final class Screens {
        private let screens: [(page: Page, screen: TestControllable)]

        /// - Parameter identity: the identity that the controllers use; `nil` if they run in a service.
        init(
            _ pages: [Page],
            _ origin: CallSite,
            identity: (any Identity)? = nil,
            _ eventable: (Page) -> any Eventable
        ) {
            screens = pages.map { page in
                let screen = TestControllable(
                    eventable(page),
                    fields: page.fields,
                    identity: identity,
                    exhaustivity: .on,
                    origin: origin
                )
                return (page, screen)
            }
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

        func finish() {
            for (_, screen) in screens { screen.finish() }
        }
    }
#endif
