import Foundation
import VisionAlgorithms
import VisionImage

extension PlanarVideo {
    /// Alignments of every third frame with the first one, from near the right position and from positions beside it,
    /// by inside and border and by the border alone: a line each of 1 for a right result or 0 for a wrong one, and the
    /// evidence.
    ///
    /// - Parameter shrink: How many times smaller the frames are than the video's.
    func alignments(level: QuadTracker.Level, shrink: Int) throws -> String {
        let (first, start) = frame(0)
        let tracker = try QuadTracker(
            frame: Self.raster(first, shrink: shrink), quad: start.quad.shrunk(shrink), level: level)
        var random = SplitMix64(seed: 5)
        var rows = ""
        for index in stride(from: 2, to: Self.count, by: 3) {
            let (image, truth) = frame(index)
            let raster = try Self.raster(image, shrink: shrink)
            let right = truth.quad.shrunk(shrink)
            let size = abs(right.area).squareRoot()
            for trial in 0..<10 {
                let isNear = trial % 5 == 0
                let distance = size * (isNear ? 0.02 : 0.6 + 0.5 * Double(random.symmetric()))
                let angle = Double(random.symmetric()) * Double.pi
                let scale = isNear ? 1 : 1 + 0.2 * Double(random.symmetric())
                let quad = right.moved(by: distance, towards: angle, scale: scale)
                guard let found = try tracker.alignment(in: raster, from: quad, bordersOnly: trial >= 5) else {
                    continue
                }
                let error =
                    zip(found.quad.corners, right.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 4
                let isRight = error < 0.1 * size && truth.within > 0.3
                guard isRight || error > 0.4 * size || truth.within < 0.05 else { continue }
                let numbers = (0..<4).map { "\(found.evidence[$0])" }
                rows += ([isRight ? "1" : "0"] + numbers).joined(separator: ",") + "\n"
            }
        }
        return rows
    }

    private static func raster(_ image: RGBImage, shrink: Int) throws -> Raster {
        let grey = image.grey
        return try Raster(width: image.width / shrink, height: image.height / shrink, format: .grey8) {
            pixels, rowBytes in
            for y in 0..<(image.height / shrink) {
                for x in 0..<(image.width / shrink) {
                    var sum = shrink * shrink / 2
                    for row in (y * shrink)..<((y + 1) * shrink) {
                        for column in (x * shrink)..<((x + 1) * shrink) {
                            sum += Int(grey[row * image.width + column])
                        }
                    }
                    pixels.storeBytes(
                        of: UInt8(sum / (shrink * shrink)), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }
}

extension PlanarQuad {
    /// The same in an image so many times smaller.
    fileprivate func shrunk(_ times: Int) -> PlanarQuad {
        func shrunk(_ point: PlanarPoint) -> PlanarPoint {
            PlanarPoint(x: point.x / Double(times), y: point.y / Double(times))
        }
        return PlanarQuad(
            topLeft: shrunk(topLeft), topRight: shrunk(topRight), bottomRight: shrunk(bottomRight),
            bottomLeft: shrunk(bottomLeft))
    }

    fileprivate func moved(by distance: Double, towards angle: Double, scale: Double) -> PlanarQuad {
        let centre = centre
        func moved(_ point: PlanarPoint) -> PlanarPoint {
            PlanarPoint(
                x: centre.x + (point.x - centre.x) * scale + distance * cos(angle),
                y: centre.y + (point.y - centre.y) * scale + distance * sin(angle))
        }
        return PlanarQuad(
            topLeft: moved(topLeft), topRight: moved(topRight), bottomRight: moved(bottomRight),
            bottomLeft: moved(bottomLeft))
    }
}
