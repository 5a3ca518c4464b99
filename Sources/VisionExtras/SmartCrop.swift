public import Foundation
public import Vision
import VisionImage

/// Chooses the part of an image to keep when it is cropped to an aspect ratio, as for thumbnails.
///
/// The crop is the largest one of the aspect ratio. It is moved to where it keeps most of what the saliency maps mark
/// and of the faces; a face that is cut through counts for less than its share that is kept.
///
/// ```swift
/// let saliency = VNGenerateAttentionBasedSaliencyImageRequest(), faces = VNDetectFaceRectanglesRequest()
/// try VNImageRequestHandler(url: url).perform([saliency, faces])
/// let crop = SmartCrop(saliency: saliency.results ?? [], faces: faces.results ?? [])
/// let box = crop.box(aspectRatio: 16 / 9, imageSize: CGSize(width: 4000, height: 3000))
/// ```
public struct SmartCrop: Sendable {
    /// The number of positions of a crop that are compared, and of the samples of the maps along an axis.
    private static let positions = 256
    /// How much all faces together weigh, relative to all that is salient.
    private static let faceWeight = 1.5
    /// Crops that keep this share of what the best one keeps are as good; the one with the best composition is chosen.
    private static let tolerance = 0.98

    /// The salient mass of each column and each row of the image, as shares of the whole.
    private let columns: [Double]
    private let rows: [Double]
    private let faces: [CGRect]

    /// Creates the choice for one image.
    ///
    /// - Parameters:
    ///   - saliency: Maps of the whole image, of either or both kinds, which count alike.
    ///   - faces: Faces of the whole image.
    public init(saliency: [VNSaliencyImageObservation], faces: [VNFaceObservation] = []) {
        let maps = saliency.map { SaliencyProfile($0.pixelBuffer, length: Self.positions) }
        columns = Self.mean(maps.map(\.columns))
        rows = Self.mean(maps.map(\.rows))
        self.faces = faces.map(\.boundingBox)
    }

    private static func mean(_ profiles: [[Double]]) -> [Double] {
        guard !profiles.isEmpty else { return [Double](repeating: 1 / Double(positions), count: positions) }
        return (0..<positions).map { index in profiles.reduce(0) { $0 + $1[index] } / Double(profiles.count) }
    }

    /// Returns the box to keep, in pixels of the image from the lower left.
    ///
    /// - Parameters:
    ///   - aspectRatio: The width of the crop divided by its height; above 0.
    ///   - imageSize: The size of the upright image in pixels.
    public func box(aspectRatio: Double, imageSize: CGSize) -> CGRect {
        let (width, height) = (Double(imageSize.width), Double(imageSize.height))
        guard aspectRatio > 0, aspectRatio.isFinite, width > 0, height > 0 else {
            return CGRect(x: 0, y: 0, width: max(0, width), height: max(0, height))
        }
        if width / height > aspectRatio {
            let share = height * aspectRatio / width
            let start = bestStart(share, columns, faces.map { ($0.minX, $0.maxX) })
            return CGRect(x: start * width, y: 0, width: share * width, height: height)
        }
        let share = width / aspectRatio / height
        // Rows count from the top, as in the maps.
        let start = bestStart(share, rows, faces.map { (1 - $0.maxY, 1 - $0.minY) })
        return CGRect(x: 0, y: (1 - start - share) * height, width: width, height: share * height)
    }

    /// Returns where the part of that length begins that keeps most, in 0…1 of the axis.
    private func bestStart(_ share: Double, _ profile: [Double], _ faces: [(CGFloat, CGFloat)]) -> Double {
        guard share < 1 else { return 0 }
        let sums = profile.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1) }
        func sum(to position: Double) -> Double {
            let place = min(max(position, 0), 1) * Double(profile.count)
            let index = min(Int(place), profile.count - 1)
            return sums[index] + profile[index] * (place - Double(index))
        }
        let spans = faces.map { (start: min(max(Double($0.0), 0), 1), end: min(max(Double($0.1), 0), 1)) }
            .filter { $0.end > $0.start }
        func kept(_ start: Double) -> Double {
            var total = sum(to: start + share) - sum(to: start)
            for face in spans {
                let inside = max(0, min(face.end, start + share) - max(face.start, start)) / (face.end - face.start)
                total += Self.faceWeight / Double(spans.count) * inside * inside
            }
            return total
        }
        let starts = (0...Self.positions).map { Double($0) / Double(Self.positions) * (1 - share) }
        let values = starts.map(kept)
        let best = values.max() ?? 0
        // The middle of what is salient, faces included, belongs in the middle of the crop.
        var (weight, moment) = (0.0, 0.0)
        for (index, value) in profile.enumerated() {
            weight += value
            moment += value * (Double(index) + 0.5) / Double(profile.count)
        }
        for face in spans {
            weight += Self.faceWeight / Double(spans.count)
            moment += Self.faceWeight / Double(spans.count) * (face.start + face.end) / 2
        }
        let wanted = (weight > 0 ? moment / weight : 0.5) - share / 2
        let good = starts.indices.filter { values[$0] >= Self.tolerance * best }
        let chosen = good.min { abs(starts[$0] - wanted) < abs(starts[$1] - wanted) }
        return chosen.map { starts[$0] } ?? (1 - share) / 2
    }
}

/// The salient mass of each column and row of a map, stretched to a common length.
private struct SaliencyProfile {
    let columns: [Double]
    let rows: [Double]

    init(_ buffer: CVPixelBuffer, length: Int) {
        let map = FloatMap(buffer)
        var (columns, rows) = (
            [Double](repeating: 0, count: map.width), [Double](repeating: 0, count: map.height)
        )
        for y in 0..<map.height {
            for x in 0..<map.width {
                // Squares: the faint surroundings of an object are large but matter little.
                let value = Double(map[x, y]) * Double(map[x, y])
                columns[x] += value
                rows[y] += value
            }
        }
        self.columns = Self.stretched(columns, to: length)
        self.rows = Self.stretched(rows, to: length)
    }

    /// Returns the values at a number of positions, scaled to the sum 1; all the same where nothing is salient.
    private static func stretched(_ values: [Double], to length: Int) -> [Double] {
        let taken = (0..<length).map { values.isEmpty ? 0 : values[$0 * values.count / length] }
        let sum = taken.reduce(0, +)
        return sum > 0 && sum.isFinite
            ? taken.map { $0 / sum } : [Double](repeating: 1 / Double(length), count: length)
    }
}
