import Foundation

/// The heat maps of the landmarks, as logits with the landmarks last.
struct PoseHeatMaps {
    private let maps: UnsafeMutableBufferPointer<Float>
    private let side: Int
    private let count: Int
    private let peaks: [Float]

    /// Landmarks are refined within this many cells of where the network states them.
    private static let radius = 3
    /// The least value of a map near a landmark by which that is refined.
    private static let leastValue: Float = 0.5

    /// - Parameter maps: rows × columns × landmarks; must outlive the value.
    init(maps: UnsafeMutableBufferPointer<Float>, side: Int, count: Int) {
        (self.maps, self.side, self.count) = (maps, side, count)
        var peaks = [Float](repeating: -.infinity, count: count)
        peaks.withUnsafeMutableBufferPointer { peaks in
            for cell in 0..<side * side {
                for index in 0..<count where maps[cell * count + index] > peaks[index] {
                    peaks[index] = maps[cell * count + index]
                }
            }
        }
        self.peaks = peaks
    }

    private static func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

    /// Returns the largest value of a landmark's map, 0…1.
    func peak(of landmark: Int) -> Double { peaks[landmark].isNaN ? 0 : Double(Self.sigmoid(peaks[landmark])) }

    /// Returns the centre of the map's mass near a landmark; the landmark itself where the map is low there.
    ///
    /// - Parameters:
    ///   - position: in pixels of the input.
    ///   - inputSide: rows and columns of the input.
    func refined(_ position: SIMD2<Double>, of landmark: Int, inputSide: Double) -> SIMD2<Double> {
        let cell = position / inputSide * Double(side)
        guard cell.x >= 0, cell.y >= 0, cell.x < Double(side), cell.y < Double(side) else { return position }
        let (column, row) = (Int(cell.x), Int(cell.y))
        var (sum, most, mean) = (0.0, Float(0), SIMD2<Double>.zero)
        for y in max(0, row - Self.radius)...min(side - 1, row + Self.radius) {
            for x in max(0, column - Self.radius)...min(side - 1, column + Self.radius) {
                let value = Self.sigmoid(maps[(y * side + x) * count + landmark])
                most = max(most, value)
                sum += Double(value)
                mean += Double(value) * SIMD2(Double(x), Double(y))
            }
        }
        guard most >= Self.leastValue, sum > 0, sum.isFinite else { return position }
        return mean / sum / Double(side) * inputSide
    }
}
