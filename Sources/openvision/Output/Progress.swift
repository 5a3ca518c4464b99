import Foundation

/// A progress bar on standard error, shown only on a terminal.
struct Progress {
    private let total: Int?
    private let isVisible: Bool
    private let noun: String
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    /// - Parameter noun: The name of the counted items.
    init(total: Int?, isQuiet: Bool, noun: String = "frames") {
        self.total = total
        self.noun = noun
        // One item is done, or not.
        isVisible = !isQuiet && total != 1 && isatty(STDERR_FILENO) == 1
    }

    mutating func update(done: Int) {
        guard isVisible else { return }
        let now = ContinuousClock.now
        // At most ten updates per second.
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        let line = Self.line(done: done, total: total, seconds: (now - start).seconds, noun: noun)
        write("\r\(line)\u{1B}[K")
    }

    /// Removes the bar; the next update shows it again.
    mutating func finish() {
        guard isVisible, shown != nil else { return }
        write("\r\u{1B}[K")
        shown = nil
    }

    static func line(done: Int, total: Int?, seconds: Double, noun: String = "frames") -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let shownRate = "\(Decimals.text(rate, rate < 10 ? 1 : 0)) \(noun)/s"
        guard let total, total > 0 else { return "\(done) \(noun), \(shownRate)" }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        let left = rate > 0 ? ", \(duration(Double(max(0, total - done)) / rate)) left" : ""
        return "[\(bar)] \(Int(share * 100)) % \(done)/\(total), \(shownRate)\(left)"
    }

    /// Returns a text such as "42 s", "3:05 min" or "1:30 h".
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "?" }
        let whole = Int(seconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if whole < 60 { return "\(whole) s" }
        return whole < 3600
            ? "\(whole / 60):\(two(whole % 60)) min" : "\(whole / 3600):\(two(whole % 3600 / 60)) h"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
    var milliseconds: Double { seconds * 1000 }
}
