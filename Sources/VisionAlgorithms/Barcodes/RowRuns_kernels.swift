import CVisionKernels

/// The lengths of neighbouring runs of dark and light pixels, and how far they may be off.
struct RunPattern: Sendable {
    fileprivate let pattern: cvk_run_pattern
    /// The number of runs.
    var count: Int { Int(pattern.runs) }

    /// The widths of the runs in modules and what they may be off, so that a run of a sequence that is `sum` pixels
    /// long fits if `unit * abs(modules * length - width * sum) <= slope * sum + offset`, where `modules` is the sum of
    /// all widths.
    ///
    /// - Parameter least: The shortest sequence, in pixels.
    init(_ runs: [(width: Int32, slope: Int32, offset: Int32)], unit: Int32, least: Int32) {
        precondition(!runs.isEmpty && runs.count <= Int(cvk_most_runs))
        var pattern = cvk_run_pattern()
        pattern.runs = Int32(runs.count)
        pattern.modules = runs.reduce(0) { $0 + $1.width }
        pattern.unit = unit
        pattern.least = least
        func set(_ values: inout (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32), _ new: [Int32]) {
            withUnsafeMutableBytes(of: &values) { bytes in
                for (index, value) in new.enumerated() {
                    bytes.storeBytes(of: value, toByteOffset: 4 * index, as: Int32.self)
                }
            }
        }
        set(&pattern.width, runs.map(\.width))
        set(&pattern.slope, runs.map(\.slope))
        set(&pattern.offset, runs.map(\.offset))
        self.pattern = pattern
    }
}

/// The runs of rows of values, dark where a value is not above a limit.
enum RowRuns {
    /// Calls a closure with each row: its number and its edges, the first pixels of its runs but the first one, valid
    /// during the call, until it returns false.
    ///
    /// - Parameter values: The rows, one behind the other.
    static func forEachRow(
        of values: UnsafeBufferPointer<Int16>, width: Int, notAbove limit: Int16,
        _ body: (_ y: Int, _ edges: UnsafeBufferPointer<Int32>) -> Bool
    ) {
        guard width > 0 else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width) { pixels in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 16) { edges in
                guard let first = values.baseAddress, let pixel = pixels.baseAddress, let edge = edges.baseAddress
                else {
                    return
                }
                for y in 0..<(values.count / width) {
                    threshold(first + y * width, width: width, limit, pixel)
                    var count: Int32 = 0
                    cvk_u8_edges(edge, &count, pixel, Int32(width))
                    guard body(y, UnsafeBufferPointer(rebasing: edges[..<Int(count)])) else { return }
                }
            }
        }
    }

    /// Writes 255 for the values of a row that are above a limit, 0 for the others.
    private static func threshold(
        _ row: UnsafePointer<Int16>, width: Int, _ limit: Int16, _ pixels: UnsafeMutablePointer<UInt8>
    ) {
        let lanes = SIMD16<Int16>.scalarCount
        let limits = SIMD16<Int16>(repeating: limit)
        var x = 0
        while x + lanes <= width {
            let values = UnsafeRawPointer(row + x).loadUnaligned(as: SIMD16<Int16>.self)
            let light = SIMD16<Int16>.zero.replacing(with: -1, where: values .> limits)
            UnsafeMutableRawPointer(pixels + x).storeBytes(
                of: SIMD16<UInt8>(truncatingIfNeeded: light), as: SIMD16<UInt8>.self)
            x += lanes
        }
        while x < width {
            pixels[x] = row[x] > limit ? 255 : 0
            x += 1
        }
    }

    /// Calls a closure with each sequence of runs that fits a pattern: its row, the edges of the row and the index of
    /// the sequence's first edge, in order, until it returns false at the end of a row.
    static func forEachRow(
        of values: UnsafeBufferPointer<Int16>, width: Int, notAbove limit: Int16, like pattern: RunPattern,
        _ body: (_ y: Int, _ edges: UnsafeBufferPointer<Int32>, _ matches: UnsafeBufferPointer<Int32>) -> Bool
    ) {
        guard width > 0 else { return }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { found in
            forEachRow(of: values, width: width, notAbove: limit) { y, edges in
                guard let first = edges.baseAddress, let match = found.baseAddress else { return true }
                var count: Int32 = 0
                withUnsafePointer(to: pattern.pattern) {
                    cvk_i32_runs_like(match, &count, first, Int32(edges.count), $0)
                }
                return count == 0 || body(y, edges, UnsafeBufferPointer(rebasing: found[..<Int(count)]))
            }
        }
    }
}
