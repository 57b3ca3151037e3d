#if canImport(Understudy)
    internal import BusinessLogic
    public import Understudy

    /// The screens of one session, one for each page.
    public final class Screens {
        private let screens: [(page: Page, screen: TestControllable)]

        /// - Parameter identity: who is in front of the screens, if that is not known elsewhere.
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

        /// The screen of that page, which has to be one of those that are played.
        public subscript(page: Page) -> TestControllable {
            self[page.name]
        }

        /// The screen of the page of that name, which has to be one of those that are played.
        public subscript(name: String) -> TestControllable {
            guard let screen = screens.first(where: { $0.page.name == name })?.screen else {
                preconditionFailure("The page '\(name)' is not played")
            }
            return screen
        }

        func finish() {
            for (_, screen) in screens { screen.finish() }
        }
    }
#endif
