import Foundation
import VisionAlgorithms

/// The measurements of a face that its quality is computed from.
package struct FaceQualityMeasures: Sendable {
    /// One for each of `FaceQualityFeature`.
    package private(set) var features: [FaceQualityFeature: Double] = [:]
    /// Mean grey values of the cells of the view, row by row.
    package let cells: [Double]

    /// The factor from the noise of flat parts to its upper limit: squared differences vary.
    private static let noiseMargin = 1.2
    private static let quantiles = (flat: 0.1, low: 0.25, middle: 0.5, high: 0.9)

    /// - Parameter instability: The distance between the meshes of two crops, in lengths of the face.
    init(_ view: FaceQualityView, _ mesh: FaceMesh, instability: Double) throws {
        cells = view.grey.cellMeans(FaceQualityView.cells, channels: 1)[0]
        pose(mesh, view.length, instability)
        try structure(view)
        light(view.grey.faceHistogram(view.isFace, FaceQualityView.cells))
        features[.sides] = -difference(view.isFace) { x, _ in x }
        features[.ends] = -difference(view.isFace) { _, y in y }
        colours(view.colour.cellMeans(FaceQualityView.cells, channels: 3), view.isFace)
        let mirrored = FaceLikeness.mirrored(cells)
        let isPaired = zip(view.isFace, FaceLikeness.mirrored(view.isFace)).map { $0 && $1 }
        features[.symmetry] = GreyCells.correlation(cells, mirrored, isPaired.indices.filter { isPaired[$0] })
        let parts = FaceLikeness.parts(of: cells)
        features[.likeness] = parts.reduce(0, +) / Double(parts.count)
        features[.worstLikeness] = parts.min()
    }

    private mutating func pose(_ mesh: FaceMesh, _ length: Double, _ instability: Double) {
        let presence = log(max(mesh.presence, 1e-12) / max(1 - mesh.presence, 1e-12))
        features[.presence] = min(max(presence, -8), 28)
        features[.rest] = -log2(instability + 0.003)
        features[.yaw] = -abs(mesh.angles.yaw)
        features[.pitch] = -abs(mesh.angles.pitch)
        features[.size] = log2(min(max(length, 12), 500))
        let right = Self.opening(mesh, [159, 158, 160], [145, 153, 144], 33, 133)
        let left = Self.opening(mesh, [386, 385, 387], [374, 380, 373], 362, 263)
        features[.eyes] = min(right, left)
        features[.mouth] = -Self.opening(mesh, [13, 82, 312], [14, 87, 317], 61, 291)
    }

    /// Returns the ratio of height to width of an eye or the mouth.
    private static func opening(_ mesh: FaceMesh, _ upper: [Int], _ lower: [Int], _ from: Int, _ to: Int) -> Double {
        func distance(_ a: Int, _ b: Int) -> Double {
            let offset = mesh.points[a] - mesh.points[b]
            return (offset * offset).sum().squareRoot()
        }
        let width = distance(from, to)
        let height = zip(upper, lower).reduce(0) { $0 + distance($1.0, $1.1) } / Double(upper.count)
        return width > 0 ? height / width : 0
    }

    // MARK: - Edges and noise

    private mutating func structure(_ view: FaceQualityView) throws {
        let count = FaceQualityView.cells
        func inside(_ values: [Double]) -> [Double] { zip(values, view.isFace).filter(\.1).map(\.0).sorted() }
        var level = view.grey
        var edges: [Double] = []
        for number in 0..<4 {
            if number > 0 { level = try level.halved() }
            let energies = level.cellDetail(count)
            let sorted = inside(energies)
            let high = quantile(Self.quantiles.high, ofSorted: sorted)
            let low = quantile(Self.quantiles.low, ofSorted: sorted)
            let flat = quantile(Self.quantiles.flat, ofSorted: sorted)
            edges.append(log2(high + 2))
            set([.edges0, .edges1, .edges2, .edges3], number, edges[number])
            set([.detail0, .detail1, .detail2], number, log2(max(high - Self.noiseMargin * low, 0) + 2))
            let middle = quantile(Self.quantiles.middle, ofSorted: sorted)
            set([.texture0, .texture1, .texture2], number, log2(middle + 2))
            set([.flatness0, .flatness1], number, log2(high + 4) - log2(flat + 4))
            if number < 2 {
                let noise = quantile(Self.quantiles.low, ofSorted: inside(level.cellNoise(count)))
                set([.noise0, .noise1], number, -log2(noise + 0.5))
            }
            if number == 1 || number == 2 {
                let least = FaceQualityView.parts.map { Self.mean(energies, around: $0.map { view.points[$0] }) }.min()
                set([.parts1, .parts2], number - 1, log2((least ?? 0) + 2))
            }
        }
        features[.fineness0] = edges[0] - edges[2]
        features[.fineness1] = edges[1] - edges[3]
    }

    private mutating func set(_ levels: [FaceQualityFeature], _ number: Int, _ value: Double) {
        if number < levels.count { features[levels[number]] = value }
    }

    /// Returns the mean of the cells around the centre of some points of the view.
    private static func mean(_ energies: [Double], around points: [SIMD2<Double>]) -> Double {
        let cells = FaceQualityView.cells
        let step = Double(FaceQualityView.side / cells)
        let middle = points.reduce(SIMD2<Double>.zero, +) / Double(points.count) / step
        let near = energies.indices.filter { cell in
            let offset = SIMD2(Double(cell % cells), Double(cell / cells)) + 0.5 - middle
            return abs(offset.x) < 1.6 && abs(offset.y) < 1.1
        }
        return near.reduce(0) { $0 + energies[$1] } / Double(max(near.count, 1))
    }

    // MARK: - Light and colour

    private mutating func light(_ grey: FaceHistogram) {
        let (dark, middle, bright) = (grey.quantile(0.1), grey.quantile(0.5), grey.quantile(0.9))
        features[.light] = log2(max(middle, 0) + 6)
        features[.lightHigh] = log2(max(bright, 0) + 6)
        features[.shade] = -middle
        features[.shadeHigh] = -bright
        features[.shadeLow] = -dark
        features[.contrast] = log2(max(bright - dark, 0) + 4)
        features[.range] = log2(max(grey.quantile(0.98) - grey.quantile(0.02), 0) + 4)
        features[.white] = -log2(1 + 200 * grey.share(in: 250...255))
        features[.black] = -log2(1 + 200 * grey.share(in: 0...5))
    }

    /// Returns the absolute difference of the logarithms of the mean grey values of two halves of the face.
    private func difference(_ isFace: [Bool], _ coordinate: (_ x: Int, _ y: Int) -> Int) -> Double {
        let count = FaceQualityView.cells
        func mean(_ isInHalf: (Int) -> Bool) -> Double {
            let wanted = cells.indices.filter { isFace[$0] && isInHalf(coordinate($0 % count, $0 / count)) }
            return log(wanted.reduce(0) { $0 + cells[$1] } / Double(max(wanted.count, 1)) + 8)
        }
        return abs(mean { $0 < count / 2 } - mean { $0 >= count / 2 })
    }

    /// Measures the deviation of the cells' chromaticities from their median.
    private mutating func colours(_ means: [[Double]], _ isFace: [Bool]) {
        let chroma = isFace.indices.filter { isFace[$0] }.map { cell -> SIMD2<Double> in
            let sum = means[0][cell] + means[1][cell] + means[2][cell] + 24
            return SIMD2((means[0][cell] - means[1][cell]) / sum, (means[1][cell] - means[2][cell]) / sum)
        }
        let middle = SIMD2(
            quantile(0.5, ofSorted: chroma.map(\.x).sorted()), quantile(0.5, ofSorted: chroma.map(\.y).sorted()))
        let distances = chroma.map { (($0 - middle) * ($0 - middle)).sum().squareRoot() }.sorted()
        features[.hues] = -log2(quantile(0.75, ofSorted: distances) + 0.01)
        features[.strangeHues] = -log2(quantile(0.9, ofSorted: distances) + 0.01)
    }
}

/// Returns a quantile by linear interpolation; 0 for no values.
private func quantile(_ share: Double, ofSorted values: [Double]) -> Double {
    guard let last = values.last else { return 0 }
    let position = share * Double(values.count - 1)
    let index = Int(position)
    guard index + 1 < values.count else { return last }
    return values[index] + (position - Double(index)) * (values[index + 1] - values[index])
}
