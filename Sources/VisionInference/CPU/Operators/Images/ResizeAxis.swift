internal import Foundation

/// How one axis is resized: which elements each new one is made of, and their weights.
struct ResizeAxis: Sendable {
    /// As many for every element of the output: indices below the input's size.
    private(set) var indices: [Int] = []
    private(set) var weights: [Double] = []
    private(set) var taps = 0
    /// Elements whose position lies outside of the input: only for `tfCropAndResize`.
    private(set) var isOutside: [Bool] = []

    /// - Parameters:
    ///   - scale: output elements per input element, as the coordinates are worked out with.
    ///   - region: where the region of interest begins and ends, as parts of the axis.
    init(
        input: Int, output: Int, scale: Double, settings: Resize, region: (start: Double, end: Double)
    ) {
        let positions = (0..<output).map {
            Self.position($0, input: input, output: output, scale: scale, settings.coordinates, region)
        }
        isOutside =
            settings.coordinates == .tfCropAndResize
            ? positions.map { $0 < 0 || $0 > Double(input - 1) } : [Bool](repeating: false, count: output)
        switch settings.mode {
        case .nearest(let rounding):
            taps = 1
            weights = [Double](repeating: 1, count: output)
            indices = positions.map { min(max(Self.round($0, rounding), 0), input - 1) }
        case .linear:
            let stretch = settings.antialias ? max(1 / scale, 1) : 1
            build(positions, input, settings, radius: stretch) { max(1 - ($0 / stretch).magnitude, 0) }
        case .cubic(let a):
            let stretch = settings.antialias ? max(1 / scale, 1) : 1
            let a = Double(a)
            build(positions, input, settings, radius: 2 * stretch) { distance in
                let x = (distance / stretch).magnitude
                if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
                return x < 2 ? a * (((x - 5) * x + 8) * x - 4) : 0
            }
        }
    }

    private static func position(
        _ index: Int, input: Int, output: Int, scale: Double, _ coordinates: Resize.Coordinates,
        _ region: (start: Double, end: Double)
    ) -> Double {
        let x = Double(index)
        let last = Double(input - 1)
        switch coordinates {
        case .halfPixel: return (x + 0.5) / scale - 0.5
        case .halfPixelSymmetric:
            // The output may be a little shorter than the scale makes it: it stays in the middle.
            let adjustment = Double(output) / (scale * Double(input))
            let offset = Double(input) / 2 * (1 - adjustment)
            return offset + (x + 0.5) / scale - 0.5
        case .pytorchHalfPixel: return output > 1 ? (x + 0.5) / scale - 0.5 : 0
        case .alignCorners:
            // ONNX counts with the length that the scale makes, even where it is no whole number.
            let exact = scale * Double(input)
            let length = (exact - exact.rounded()).magnitude < 1e-5 ? Double(output) : exact
            return length > 1 ? x * last / (length - 1) : 0
        case .asymmetric: return x / scale
        case .tfCropAndResize:
            return output > 1
                ? region.start * last + x * (region.end - region.start) * last / Double(output - 1)
                : 0.5 * (region.start + region.end) * last
        }
    }

    private static func round(_ position: Double, _ rounding: Resize.Rounding) -> Int {
        let rounded =
            switch rounding {
            case .roundPreferFloor: (position - 0.5).rounded(.up)
            case .roundPreferCeil: (position + 0.5).rounded(.down)
            case .floor: position.rounded(.down)
            case .ceil: position.rounded(.up)
            }
        return Int(max(min(rounded, 1e15), -1e15))
    }

    /// Weights by distance. Elements beyond the ends are those at the ends, unless they are excluded: then, and when
    /// samples are averaged, the others are weighted up.
    private mutating func build(
        _ positions: [Double], _ input: Int, _ settings: Resize, radius: Double, _ kernel: (Double) -> Double
    ) {
        // Positions that are in doubt because of the last bits get one more.
        taps = Int(min(2 * radius.rounded(.up), 1e9))
        let excludes = settings.excludesOutside
        for position in positions {
            let first = Int(max(min((position - radius).rounded(.down) + 1, 1e15), -1e15))
            var line = (0..<taps).map { first + $0 }
            var factors = line.map { kernel(position - Double($0)) }
            if excludes {
                for (tap, index) in line.enumerated() where index < 0 || index >= input { factors[tap] = 0 }
            }
            if excludes || settings.antialias {
                let sum = factors.reduce(0, +)
                if sum != 0 { factors = factors.map { $0 / sum } }
            }
            line = line.map { min(max($0, 0), input - 1) }
            indices += line
            weights += factors
        }
    }
}
