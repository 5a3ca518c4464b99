import Foundation

extension SharedView {
    private enum Constants {
        /// By how much the scales of a view's windows may differ.
        static let spread = 1.2
        /// Beyond these nothing is to be seen.
        static let scales = 1e-6...1e6
        /// Scales of views are powers of two in steps of a part of an octave, and sides of their pictures multiples of some
        /// places: networks are prepared for each size.
        static let scalesPerOctave = 16.0
        static let round = 4
        /// Places beyond the edge of the frame.
        static let margin = 2
        /// Places that a view has to save for each of its windows: less is not worth a picture of a size of its own.
        static let gain = 64
        /// Places that one view may have.
        static let most = 4096
        /// Windows that are planned together.
        static let windows = 64
    }

    /// The views that save work, for windows of a frame of this size. A window that is in none of them is better seen by
    /// itself.
    ///
    /// Starting from single windows, those two become one view that gain most by it, until no two gain anything. Depends on the
    /// windows and their order alone.
    static func views(of windows: [SearchWindow], width: Int, height: Int) -> [SharedView] {
        let usable = windows.indices.filter { index in
            let window = windows[index]
            return window.columns == TrackerGraphs.searchSide && window.rows == TrackerGraphs.searchSide
                && Constants.scales.contains(window.scale)
                && (0...Double(width)).contains(window.centreX) && (0...Double(height)).contains(window.centreY)
        }
        return stride(from: 0, to: usable.count, by: Constants.windows).flatMap { start in
            let some = usable[start..<min(start + Constants.windows, usable.count)]
            return joined(some.map { Plan($0, windows[$0]) }, windows, width: width, height: height)
        }
    }

    private static func joined(_ plans: [Plan], _ windows: [SearchWindow], width: Int, height: Int) -> [SharedView] {
        func union(_ a: Plan, _ b: Plan) -> (plan: Plan, gain: Int)? {
            Plan(a, b, windows, width: width, height: height).map { ($0, a.cost + b.cost - $0.cost) }
        }
        var plans: [Plan?] = plans
        var unions = [[(plan: Plan, gain: Int)?]](repeating: [], count: plans.count)
        for index in plans.indices {
            unions[index] = (0..<index).map { other in
                guard let a = plans[other], let b = plans[index] else { return nil }
                return union(a, b)
            }
        }
        while true {
            var best: (first: Int, second: Int, plan: Plan, gain: Int)?
            for second in plans.indices where plans[second] != nil {
                for first in 0..<second where plans[first] != nil {
                    guard let union = unions[second][first], union.gain > best?.gain ?? 0 else {
                        continue
                    }
                    best = (first, second, union.plan, union.gain)
                }
            }
            guard let best else { break }
            plans[best.first] = best.plan
            plans[best.second] = nil
            for other in plans.indices where other != best.first {
                guard let plan = plans[other] else { continue }
                unions[max(other, best.first)][min(other, best.first)] = union(best.plan, plan)
            }
        }
        return plans.compactMap { plan in
            guard let plan, let view = plan.view else { return nil }
            let alone = plan.indices.count * TrackerGraphs.searchCells * TrackerGraphs.searchCells
            return alone - plan.cost >= Constants.gain * plan.indices.count ? view : nil
        }
    }

    /// A view to be, or a single window.
    private struct Plan {
        let indices: [Int]
        /// The scales of its windows.
        let scales: ClosedRange<Double>
        /// In places.
        let cost: Int
        /// nil for a single window.
        let view: SharedView?

        init(_ index: Int, _ window: SearchWindow) {
            indices = [index]
            scales = window.scale...window.scale
            cost = TrackerGraphs.searchCells * TrackerGraphs.searchCells
            view = nil
        }

        /// The view of all windows of two; nil where their scales differ too much or it would be too large.
        init?(_ a: Plan, _ b: Plan, _ windows: [SearchWindow], width: Int, height: Int) {
            let low = min(a.scales.lowerBound, b.scales.lowerBound),
                high = max(a.scales.upperBound, b.scales.upperBound)
            guard high <= Constants.spread * low else { return nil }
            scales = low...high
            indices = a.indices + b.indices
            let steps = Constants.scalesPerOctave
            let scale = exp2(((log2(low) + log2(high)) / 2 * steps).rounded() / steps)
            let cell = Double(TrackerGraphs.step) / scale
            let first = indices.map { index in
                (
                    column: Int((windows[index].centreX / cell - Double(TrackerGraphs.searchCells) / 2).rounded()),
                    row: Int((windows[index].centreY / cell - Double(TrackerGraphs.searchCells) / 2).rounded())
                )
            }
            let columns = Self.side(first.map(\.column), extent: Double(width) / cell)
            let rows = Self.side(first.map(\.row), extent: Double(height) / cell)
            let (places, isTooMany) = columns.count.multipliedReportingOverflow(by: rows.count)
            guard !isTooMany, places <= Constants.most else { return nil }
            cost = places
            view = SharedView(
                picture: SearchWindow(
                    x: Double(columns.lowerBound) * cell, y: Double(rows.lowerBound) * cell, scale: scale,
                    columns: columns.count * TrackerGraphs.step, rows: rows.count * TrackerGraphs.step),
                members: zip(indices, first).map { index, first in
                    Member(index: index, row: first.row - rows.lowerBound, column: first.column - columns.lowerBound)
                })
        }

        /// The places of a picture along one axis, for windows that begin at these: little more than the frame has.
        private static func side(_ first: [Int], extent: Double) -> Range<Int> {
            let whole = Int(extent.rounded(.up)) + 2 * Constants.margin
            let most = (whole + Constants.round - 1) / Constants.round * Constants.round
            let low = max(first.min() ?? 0, -Constants.margin)
            let high = min((first.max() ?? 0) + TrackerGraphs.searchCells, most - Constants.margin)
            let count = min((high - low + Constants.round - 1) / Constants.round * Constants.round, most)
            let start = min(low, most - Constants.margin - count)
            return start..<start + count
        }
    }
}
