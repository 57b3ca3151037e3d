extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and none that is slow because many others run.
    package static var fiveMinutes: TimeLimitTrait { .timeLimit(.minutes(5)) }
}
