import VisionImage

/// An object that moves, in one frame.
package struct MovingBlob: Hashable, Sendable {
    /// The centroid in pixels of the analysed image, origin at the top left, in coordinates that stay with the scene.
    package var x: Double
    package var y: Double
    /// The radius of a disc of the same area, in pixels.
    package var radius: Double

    package init(x: Double, y: Double, radius: Double) { (self.x, self.y, self.radius) = (x, y, radius) }
}

/// Finds what moves in a video: pixels that differ from the median of the recent frames.
///
/// While there are few frames the median is a poor background. So after each of the first frames all of them are
/// analysed again. Frames are moved by whole pixels where that removes most of the differences, because the camera
/// shakes; that a background pixel may be any of the nine around it covers the rest.
struct MotionDetector: Sendable {
    /// The blobs of a frame.
    struct Finding: Sendable {
        let time: Double
        let blobs: [MovingBlob]
    }

    private struct Frame: Sendable {
        let plane: MotionPlane
        let time: Double
        /// The position of the frame in the scene, in pixels.
        let right: Double
        let down: Double
    }

    /// The number of frames that make the background: an object may cover a pixel in fewer than half of them.
    private static let capacity = 11
    /// The least difference that counts, in grey levels.
    private static let leastDifference = 12
    /// The share of the parts of the image that change when the camera moves: an object that moves changes few.
    private static let shakyShare = 0.3
    /// The image is divided into this many parts along both axes.
    private static let partCount = 8
    /// The least difference from the frame before, in grey levels.
    private static let leastChange: UInt8 = 6
    /// The share of pixels that differ in another scene.
    private static let newSceneShare = 0.4
    private static let blobLimit = 48

    private var frames: [Frame] = []
    private var correlator: PhaseCorrelator?

    /// The position of the last frame in the scene, in pixels.
    var position: (right: Double, down: Double) { frames.last.map { ($0.right, $0.down) } ?? (0, 0) }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - image: A grey byte image. One of another size begins anew.
    ///   - time: The time, in any unit; later than that of the frame before.
    ///   - radii: The radii of objects, in pixels.
    /// - Returns: The blobs of the frame; or, `isRestart`, those of all frames so far.
    mutating func add(
        _ image: Raster, time: Double, radii: ClosedRange<Double>
    ) throws -> (findings: [Finding], isRestart: Bool) {
        let plane = MotionPlane(image)
        if let last = frames.last, last.plane.width != plane.width || last.plane.height != plane.height {
            frames = []
            correlator = nil
        }
        var frame = Frame(plane: plane, time: time, right: 0, down: 0)
        if let last = frames.last {
            if let motion = try motion(of: image, since: last) {
                frame = Frame(plane: plane, time: time, right: last.right + motion.right, down: last.down + motion.down)
            } else {
                frames = []
            }
        }
        frames.append(frame)
        let isStart = frames.count <= Self.capacity
        if !isStart { frames.removeFirst() }
        guard frames.count > 2 else { return (frames.map { Finding(time: $0.time, blobs: []) }, true) }
        // All in the coordinates of the new frame.
        let aligned = frames.map { other in
            other.plane.moved(
                right: Int((frame.right - other.right).rounded()), down: Int((frame.down - other.down).rounded()))
        }
        let background = MotionPlane.median(of: aligned)
        let findings = try zip(frames, aligned).suffix(isStart ? frames.count : 1).map { other, plane in
            Finding(
                time: other.time,
                blobs: try Self.blobs(of: plane.difference(from: background), radii: radii).map {
                    MovingBlob(x: $0.x - frame.right.rounded(), y: $0.y - frame.down.rounded(), radius: $0.radius)
                })
        }
        return (findings, isStart)
    }

    /// Returns how far the scene has moved since the last frame; nil for another scene.
    private mutating func motion(of image: Raster, since last: Frame) throws -> (right: Double, down: Double)? {
        let plane = MotionPlane(image)
        func change(_ right: Int, _ down: Int) -> (pixels: Double, parts: Double) {
            let difference = plane.difference(from: last.plane.moved(right: right, down: down)).pixels
            var counts = [Int](repeating: 0, count: Self.partCount * Self.partCount)
            for y in 0..<plane.height {
                let row = y * Self.partCount / plane.height * Self.partCount
                for x in 0..<plane.width where difference[y * plane.width + x] >= Self.leastChange {
                    counts[row + x * Self.partCount / plane.width] += 1
                }
            }
            let least = max(1, difference.count / counts.count / 100)
            return (
                Double(counts.reduce(0, +)) / Double(difference.count),
                Double(counts.count { $0 >= least }) / Double(counts.count)
            )
        }
        let changed = change(0, 0)
        guard changed.parts > Self.shakyShare, min(plane.width, plane.height) >= 16 else { return (0, 0) }
        let correlator = try correlator ?? PhaseCorrelator(width: plane.width, height: plane.height)
        self.correlator = correlator
        let found = try correlator.translation(
            reference: try correlator.spectrum(of: image), floating: try correlator.spectrum(of: last.plane.raster()))
        let (right, down) = (Int(found.dx.rounded()), Int(found.dy.rounded()))
        if found.confidence > 0.3, right != 0 || down != 0, change(right, down).pixels < 0.7 * changed.pixels {
            return (found.dx, found.dy)
        }
        return changed.pixels > Self.newSceneShare ? nil : (0, 0)
    }

    /// Returns the regions of a difference image, the strongest first.
    private static func blobs(of difference: MotionPlane, radii: ClosedRange<Double>) throws -> [MovingBlob] {
        // In noise the least difference is higher: at most 3 % of the pixels differ.
        var counts = [Int](repeating: 0, count: 256)
        for value in difference.pixels { counts[Int(value)] += 1 }
        var (threshold, above) = (255, 0)
        while threshold > leastDifference, Double(above + counts[threshold]) < 0.03 * Double(difference.pixels.count) {
            above += counts[threshold]
            threshold -= 1
        }
        let finder = ContourFinder(pivot: (Double(threshold) - 0.5) / 255, isDark: false, leastDepth: 5.0 / 255)
        let tree = try finder.contours(in: try difference.raster())
        var found: [(blob: MovingBlob, strength: Double)] = []
        var regions = MotionRegions(difference, threshold: threshold)
        for index in 0..<tree.topLevelCount {
            guard let start = tree.points(of: tree.topLevel(index)).first,
                let (blob, strength) = regions.blob(at: start.x, start.y), radii.contains(blob.radius)
            else { continue }
            found.append((blob, strength))
        }
        // In a fixed order: sorting is not stable.
        let ranked = found.enumerated().sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
        return ranked.prefix(blobLimit).map(\.element.blob)
    }
}
