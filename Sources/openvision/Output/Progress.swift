import Foundation

/// A bar on standard error while it is a terminal; nothing at all in a pipe or a file.
struct Progress {
    private let total: Int?
    private let isVisible: Bool
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    init(total: Int?, isQuiet: Bool) {
        self.total = total
        isVisible = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    mutating func update(done: Int) {
        guard isVisible else { return }
        let now = ContinuousClock.now
        // Ten times a second: more would cost time and tell nothing.
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        write("\r" + Self.line(done: done, total: total, seconds: (now - start).seconds) + "\u{1B}[K")
    }

    /// Takes the bar away.
    func finish() {
        guard isVisible, shown != nil else { return }
        write("\r\u{1B}[K")
    }

    static func line(done: Int, total: Int?, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        guard let total, total > 0 else { return "\(done) frames, \(rate) frames/s" }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        let left = rate > 0 ? ", \(max(0, total - done) / rate) s left" : ""
        return "[\(bar)] \(Int(share * 100)) % \(done)/\(total), \(rate) frames/s\(left)"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
    var milliseconds: Double { seconds * 1000 }
}
