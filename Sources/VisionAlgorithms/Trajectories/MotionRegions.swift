/// The 8-connected regions of a difference image at and above a threshold. Each pixel is visited once.
struct MotionRegions {
    private let difference: MotionPlane
    private let threshold: UInt8
    private var isVisited: [Bool]
    private var stack: [Int] = []

    /// The fewest pixels of a region.
    private static let leastCount = 3

    init(_ difference: MotionPlane, threshold: Int) {
        (self.difference, self.threshold) = (difference, UInt8(clamping: threshold))
        isVisited = [Bool](repeating: false, count: difference.pixels.count)
    }

    /// Returns the region of a pixel, and the sum of its values; nil for a small region, and for one that was returned
    /// before.
    mutating func blob(at x: Int, _ y: Int) -> (MovingBlob, strength: Double)? {
        visit(x, y)
        var (count, sum, sumX, sumY) = (0, 0.0, 0.0, 0.0)
        while let index = stack.popLast() {
            let (row, column) = index.quotientAndRemainder(dividingBy: difference.width)
            let value = Double(difference.pixels[index])
            count += 1
            sum += value
            sumX += value * (Double(column) + 0.5)
            sumY += value * (Double(row) + 0.5)
            for y in row - 1...row + 1 {
                for x in column - 1...column + 1 { visit(x, y) }
            }
        }
        guard count >= Self.leastCount, sum > 0 else { return nil }
        let radius = (Double(count) / Double.pi).squareRoot()
        return (MovingBlob(x: sumX / sum, y: sumY / sum, radius: radius), sum)
    }

    private mutating func visit(_ x: Int, _ y: Int) {
        guard x >= 0, x < difference.width, y >= 0, y < difference.height else { return }
        let index = y * difference.width + x
        guard !isVisited[index], difference.pixels[index] >= threshold else { return }
        isVisited[index] = true
        stack.append(index)
    }
}
