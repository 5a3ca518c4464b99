import Foundation
import VisionImage
import VisionThreads

/// Where and when figures were taken; without it they mean nothing.
struct Machine: Codable {
    let processor: String
    let cores: Int
    /// Instruction set that the kernels use (`OPENVISION_ISA` can lower it).
    let instructionSet: String
    let threads: Int
    let date: String

    static func current(threads: Int) -> Machine {
        let formatter = ISO8601DateFormatter()
        return Machine(
            processor: processorName(), cores: Processors.count,
            instructionSet: instructionSetInUse(), threads: threads, date: formatter.string(from: Date()))
    }

    private static func processorName() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
        guard let line, let colon = line.firstIndex(of: ":") else { return "unknown processor" }
        return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }

    var summary: String {
        let clients = threads == 1 ? "1 thread" : "\(threads) threads"
        return "\(processor), \(cores) cores, kernels \(instructionSet), \(clients), \(date)"
    }
}

struct Report: Codable {
    let machine: Machine
    var measurements: [Measurement] = []

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self)
    }
}

/// Rows of text as a terminal or a Markdown page shows them.
struct Table {
    enum Style {
        case plain, markdown
    }

    let columns: [String]
    let widths: [Int]
    let style: Style

    /// The first column is left-aligned, all others right-aligned.
    func header() -> String {
        switch style {
        case .plain: row(columns)
        case .markdown:
            row(columns) + "\n|" + columns.indices.map { $0 == 0 ? "---|" : "---:|" }.joined()
        }
    }

    func row(_ cells: [String]) -> String {
        if style == .markdown { return "| " + cells.joined(separator: " | ") + " |" }
        return zip(cells, widths).enumerated().map { index, cell in
            let (text, width) = cell
            let fill = String(repeating: " ", count: max(0, width - text.count))
            return index == 0 ? text + fill : fill + text
        }.joined(separator: "  ")
    }

    private static let peakColumn = "% of peak"

    /// - Parameter networks: with columns for what only networks have.
    static func measurements(style: Style, networks: Bool) -> Table {
        let extra = networks ? [(peakColumn, 9), ("arena", 10)] : []
        return Table(
            columns: ["path", "p50", "p95", "p99", "a second", "rate", "of"] + extra.map(\.0),
            widths: [60, 10, 10, 10, 10, 14, 6] + extra.map(\.1), style: style)
    }

    func row(_ measurement: Measurement) -> String {
        let rate =
            if let value = measurement.gigaflops {
                String(format: "%.1f GFLOP/s", value)
            } else if let value = measurement.gigabytesPerSecond {
                String(format: "%.1f GB/s", value)
            } else {
                ""
            }
        let times = [measurement.p50, measurement.p95, measurement.p99].map(durationText)
        let name = style == .markdown ? "`\(measurement.name)`" : measurement.name
        var cells = [name] + times + [countText(measurement.perSecond), rate, measurement.unit.rawValue]
        if columns.contains(Self.peakColumn) {
            cells.append(measurement.percentOfPeak.map { String(format: "%.1f", $0) } ?? "")
            cells.append(measurement.arenaBytes.map { "\($0)" } ?? "")
        }
        return row(cells)
    }
}

/// Three significant digits and the unit that suits them.
func durationText(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1000: String(format: "%.0f ns", nanoseconds)
    case ..<10_000: String(format: "%.2f µs", nanoseconds / 1e3)
    case ..<100_000: String(format: "%.1f µs", nanoseconds / 1e3)
    case ..<1_000_000: String(format: "%.0f µs", nanoseconds / 1e3)
    case ..<10_000_000: String(format: "%.2f ms", nanoseconds / 1e6)
    case ..<100_000_000: String(format: "%.1f ms", nanoseconds / 1e6)
    default: String(format: "%.0f ms", nanoseconds / 1e6)
    }
}

private func countText(_ value: Double) -> String {
    String(format: value < 100 ? "%.1f" : "%.0f", value)
}
