import Foundation
import VisionTraining
import VisionThreads

/// Prints the progress of training on standard output, with a progress bar and the remaining time on a terminal.
final class TrainingReporter: Sendable {
    private struct State {
        var start = ContinuousClock.now
        var shown: ContinuousClock.Instant?
    }

    private let settings: TrainingSettings
    private let hasBar: Bool
    private let state = Locked(State())

    init(_ settings: TrainingSettings) {
        self.settings = settings
        hasBar = !settings.isQuiet && isatty(STDOUT_FILENO) == 1
    }

    private func say(_ text: String) {
        if !settings.isQuiet { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
    }

    /// - Parameter notice: What there is to know of the feature cache.
    func begin(_ photos: MLImageClassifier.FoundPhotos, notice: String?) {
        if let notice { say("Note: \(notice)") }
        say("Training with \(photos.photos.count) photos of \(Set(photos.photos.map(\.label)).count) classes")
        state.withLock { $0.start = ContinuousClock.now }
    }

    func show(_ event: ClassifierTraining.Event) throws {
        try settings.onEvent(event)
        guard hasBar else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if let shown = state.shown, now - shown < .milliseconds(100) { return }
            state.shown = now
            let line =
                switch event {
                case .photos(let done, let total):
                    Self.line(done: done, total: total, elapsed: now - state.start)
                case .iteration(let count): "Training the last layer, iteration \(count)"
                case .measuring: "Measuring"
                }
            FileHandle.standardOutput.write(Data("\r\(line)\u{1B}[K".utf8))
        }
    }

    static func line(done: Int, total: Int, elapsed: Duration) -> String {
        let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
        let filled = Int(share * 30)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let left = done > 0 ? ", \(Int((seconds / Double(done) * Double(total - done)).rounded(.up))) s left" : ""
        return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 30 - filled))] "
            + "\(done)/\(total) photos\(left)"
    }

    /// Clears the bar.
    func end() {
        guard hasBar, state.withLock({ $0.shown }) != nil else { return }
        FileHandle.standardOutput.write(Data("\r\u{1B}[K".utf8))
    }

    func tell(_ classifier: MLImageClassifier) {
        guard !settings.isQuiet else { return }
        for file in classifier.report.skipped { say("Skipped: \(file.path): \(file.reason)") }
        for advice in classifier.report.advice { say("Warning: \(advice)") }
        for (name, metrics) in [("Training", classifier.trainingMetrics), ("Validation", classifier.validationMetrics)]
        where metrics.isValid {
            say("\(name) accuracy: \(String(format: "%.2f", (1 - metrics.classificationError) * 100)) %")
        }
    }
}
