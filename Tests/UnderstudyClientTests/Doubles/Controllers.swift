/// Renders a count.
struct CountingController: Script {
    static let count = Output<Int>("count")
    static let number = Output<Int>("number")

    static let events: EventTable<Scripted<CountingController>> = [
        .default("count", gives: [.renders(count)]) { controller in
            controller.state += 1
            controller.render(count, controller.state)
        },
        // More commands than the history keeps.
        .event("chatter", gives: [.renders(number)]) { for index in 1...300 { $0.render(number, index) } },
    ]

    static let page = Page("counter", CountingController())
    static let initial = 0
}
