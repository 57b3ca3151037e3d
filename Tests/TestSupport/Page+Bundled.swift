extension Page {
    /// The bundled pages on a clock of the test. `batman` can log in with `bruce`, and `robin` with `tim`.
    package static func bundled(_ clock: any WallClock) -> [Page] {
        bundled(
            credentials: FixedCredentials(["batman": "bruce", "robin": "tim"]),
            repository: ProductsRepository([.car, .book]),
            clock: clock
        )
    }
}
