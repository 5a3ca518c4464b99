import Foundation
import VisionAlgorithms
import VisionImage

extension PlanarFilm {
    /// Alignments of every third frame with the first one, from near the right place and from places beside it, by inside and
    /// border and by the border alone: a line each of 1 for a right result or 0 for a wrong one, and the evidence.
    func alignments(level: QuadTracker.Level) throws -> String {
        let (first, start) = frame(0)
        let tracker = try QuadTracker(frame: Self.raster(first), quad: start.quad, level: level)
        var random = SeededRandom(seed: 5)
        var rows = ""
        for index in stride(from: 2, to: Self.count, by: 3) {
            let (picture, truth) = frame(index)
            let raster = try Self.raster(picture)
            let size = abs(truth.quad.area).squareRoot()
            for trial in 0..<10 {
                let isNear = trial % 5 == 0
                let distance = size * (isNear ? 0.02 : 0.6 + 0.5 * Double(random.symmetric()))
                let angle = Double(random.symmetric()) * Double.pi
                let scale = isNear ? 1 : 1 + 0.2 * Double(random.symmetric())
                let quad = truth.quad.moved(by: distance, towards: angle, scale: scale)
                guard let found = try tracker.alignment(in: raster, from: quad, bordersOnly: trial >= 5) else {
                    continue
                }
                let error =
                    zip(found.quad.corners, truth.quad.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 4
                let isRight = error < 0.1 * size && truth.within > 0.3
                guard isRight || error > 0.4 * size || truth.within < 0.05 else { continue }
                let numbers = (0..<4).map { "\(found.evidence[$0])" }
                rows += ([isRight ? "1" : "0"] + numbers).joined(separator: ",") + "\n"
            }
        }
        return rows
    }

    private static func raster(_ picture: Picture) throws -> Raster {
        let grey = picture.grey
        return try Raster(width: picture.width, height: picture.height, format: .grey8) { pixels, rowBytes in
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    pixels.storeBytes(of: grey[y * picture.width + x], toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }
}

extension PlanarQuad {
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
