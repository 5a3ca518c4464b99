import Foundation
import VisionImage

extension SharedView {
    private enum Constants {
        /// The largest ratio of the scales of a view's windows.
        static let spread = 1.2
        /// The scales of windows that can share a view.
        static let scales = 1e-6...1e6
        /// The scales of views are rounded to fractions of an octave, and the sides of their feature maps to multiples
        /// of `round`, because networks are prepared for each size.
        static let scalesPerOctave = 16.0
        static let round = 4
        /// The number of positions of the map beyond the edge of the frame.
        static let margin = 2
        /// The number of positions that a view has to save for each of its windows: less is not worth a map of another
        /// size.
        static let gain = 64
        /// The maximum number of positions of a view's map.
        static let most = 4096
        /// The maximum number of windows that are planned together.
        static let windows = 64
    }

    /// Returns the views that reduce the cost for windows of a frame of this size. A window that is in none of them
    /// costs less in a pass of its own.
    ///
    /// This is agglomerative clustering: starting from single windows, the two plans with the largest saving are merged
    /// until no merge saves anything. The result depends on the windows and their order alone.
    static func views(of windows: [ImagePatch], width: Int, height: Int) -> [SharedView] {
        let usable = windows.indices.filter { index in
            let window = windows[index]
            return window.columns == TrackerGraphs.searchSide && window.rows == TrackerGraphs.searchSide
                && Constants.scales.contains(window.scale)
                && (0...Double(width)).contains(window.centre.x) && (0...Double(height)).contains(window.centre.y)
        }
        return stride(from: 0, to: usable.count, by: Constants.windows).flatMap { start in
            let some = usable[start..<min(start + Constants.windows, usable.count)]
            return joined(some.map { Plan($0, windows[$0]) }, windows, width: width, height: height)
        }
    }

    private static func joined(_ plans: [Plan], _ windows: [ImagePatch], width: Int, height: Int) -> [SharedView] {
        let count = plans.count
        var plans: [Plan?] = plans
        // The saving of a merge, by the indices of the second and of the first plan; 0 where they cannot be merged.
        var gains = [Int](repeating: 0, count: count * count)
        func gain(_ a: Plan, _ b: Plan) -> Int {
            Union(a.part, b.part, width: width, height: height).map { max(0, a.cost + b.cost - $0.cost) } ?? 0
        }
        for second in 0..<count {
            for first in 0..<second {
                guard let a = plans[first], let b = plans[second] else { continue }
                gains[second * count + first] = gain(a, b)
            }
        }
        while true {
            var best = (first: 0, second: 0, gain: 0)
            for second in 0..<count where plans[second] != nil {
                for first in 0..<second where plans[first] != nil {
                    let gain = gains[second * count + first]
                    if gain > best.gain { best = (first, second, gain) }
                }
            }
            guard best.gain > 0, let a = plans[best.first], let b = plans[best.second],
                let union = Union(a.part, b.part, width: width, height: height)
            else { break }
            let plan = Plan(a, b, union, windows)
            plans[best.first] = plan
            plans[best.second] = nil
            for other in 0..<count where other != best.first {
                guard let one = plans[other] else { continue }
                gains[max(other, best.first) * count + min(other, best.first)] = gain(plan, one)
            }
        }
        return plans.compactMap { plan in
            guard let plan, let view = plan.view else { return nil }
            let alone = plan.indices.count * TrackerGraphs.searchCells * TrackerGraphs.searchCells
            return alone - plan.cost >= Constants.gain * plan.indices.count ? view : nil
        }
    }

    /// The ranges of the scales and of the centres of windows.
    private struct Part {
        var scales: ClosedRange<Double>
        var x: ClosedRange<Double>
        var y: ClosedRange<Double>

        init(_ window: ImagePatch) {
            scales = window.scale...window.scale
            x = window.centre.x...window.centre.x
            y = window.centre.y...window.centre.y
        }

        init(_ a: Part, _ b: Part) {
            func both(_ a: ClosedRange<Double>, _ b: ClosedRange<Double>) -> ClosedRange<Double> {
                min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
            }
            (scales, x, y) = (both(a.scales, b.scales), both(a.x, b.x), both(a.y, b.y))
        }
    }

    /// The patch that contains all windows of two parts.
    private struct Union {
        let part: Part
        let scale: Double
        /// The step between two positions of the map, in pixels of the frame.
        let cell: Double
        let columns: Range<Int>
        let rows: Range<Int>

        /// The number of positions of the map.
        var cost: Int { columns.count * rows.count }

        /// Returns nil where the scales differ too much or the map would be too large.
        init?(_ a: Part, _ b: Part, width: Int, height: Int) {
            part = Part(a, b)
            let (low, high) = (part.scales.lowerBound, part.scales.upperBound)
            guard high <= Constants.spread * low else { return nil }
            let steps = Constants.scalesPerOctave
            scale = exp2(((log2(low) + log2(high)) / 2 * steps).rounded() / steps)
            cell = Double(TrackerGraphs.step) / scale
            columns = Self.side(part.x, cell, extent: Double(width) / cell)
            rows = Self.side(part.y, cell, extent: Double(height) / cell)
            let (positions, isTooMany) = columns.count.multipliedReportingOverflow(by: rows.count)
            guard !isTooMany, positions <= Constants.most else { return nil }
        }

        /// Returns the index of the first position of a window with this centre.
        static func first(_ middle: Double, _ cell: Double) -> Int {
            Int((middle / cell - Double(TrackerGraphs.searchCells) / 2).rounded())
        }

        /// Returns the positions of a map along one axis for windows whose centres lie in a range, limited to the frame
        /// with its margin.
        private static func side(_ middles: ClosedRange<Double>, _ cell: Double, extent: Double) -> Range<Int> {
            let whole = Int(extent.rounded(.up)) + 2 * Constants.margin
            let most = (whole + Constants.round - 1) / Constants.round * Constants.round
            let low = max(first(middles.lowerBound, cell), -Constants.margin)
            let high = min(first(middles.upperBound, cell) + TrackerGraphs.searchCells, most - Constants.margin)
            let count = min((high - low + Constants.round - 1) / Constants.round * Constants.round, most)
            let start = min(low, most - Constants.margin - count)
            return start..<start + count
        }
    }

    /// A planned view, or a single window.
    private struct Plan {
        let indices: [Int]
        let part: Part
        /// The number of positions of the map.
        let cost: Int
        /// nil for a single window.
        let view: SharedView?

        init(_ index: Int, _ window: ImagePatch) {
            indices = [index]
            part = Part(window)
            cost = TrackerGraphs.searchCells * TrackerGraphs.searchCells
            view = nil
        }

        /// Merges two plans.
        init(_ a: Plan, _ b: Plan, _ union: Union, _ windows: [ImagePatch]) {
            indices = a.indices + b.indices
            part = union.part
            cost = union.cost
            let (columns, rows, cell) = (union.columns, union.rows, union.cell)
            view = SharedView(
                patch: ImagePatch(
                    x: Double(columns.lowerBound) * cell, y: Double(rows.lowerBound) * cell, scale: union.scale,
                    columns: columns.count * TrackerGraphs.step, rows: rows.count * TrackerGraphs.step),
                members: indices.map { index in
                    Member(
                        index: index, row: Union.first(windows[index].centre.y, cell) - rows.lowerBound,
                        column: Union.first(windows[index].centre.x, cell) - columns.lowerBound)
                })
        }
    }
}
