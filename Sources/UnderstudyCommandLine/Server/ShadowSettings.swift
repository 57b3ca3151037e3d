import ArgumentParser
import CoreMetrics
import Foundation
import Logging
import Understudy

/// The other version that runs a sample of the events.
struct ShadowSettings {
    let path: String
    let fraction: Double
    let deadline: Duration
    let memory: Int

    /// The settings; `nil` if no other version runs.
    ///
    /// - Throws: `ValidationError` if the deadline or the memory is too small.
    init?(_ options: ObservabilityOptions, _ settings: SettingsReader) throws {
        fraction = try settings.value(options.shadowSample, Settings.shadowSample).fraction
        let deadline = try settings.value(options.shadowDeadline, Settings.shadowDeadline)
        let memory = try settings.value(options.shadowMemory, Settings.shadowMemory)
        self.deadline = deadline.duration
        self.memory = memory.bytes
        guard deadline.duration > .zero else {
            throw ValidationError("The value '\(deadline)' is invalid for 'shadow-deadline': it must be more than 0.")
        }
        guard memory.bytes >= 16 << 20 else {
            throw ValidationError("The value '\(memory)' is invalid for 'shadow-memory': it must be 16MiB or more.")
        }
        guard let path = try settings.value(options.shadow, Settings.shadow) else { return nil }
        self.path = path
    }

    /// Creates the shadow, which has not been started.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if the file is no program.
    func shadow(of pages: [Page], metrics: any MetricsFactory, logger: Logger) throws(CommandError) -> Shadow {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandError("'shadow' must be a program: '\(path)' is not an executable file.", status: 66)
        }
        let absolute = URL(fileURLWithPath: path).path
        let control = try StepControl()
        let (deadline, memory) = (deadline, memory)
        return Shadow(
            pages: pages,
            fraction: fraction,
            report: ShadowReport(factory: metrics, logger: logger),
            control: control
        ) {
            StepProcess(absolute, deadline: deadline, memory: memory, isIsolated: true, control: control)
        }
    }
}
