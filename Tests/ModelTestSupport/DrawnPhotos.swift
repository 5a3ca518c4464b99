package import Foundation
package import VisionImage
import XCTest

/// Photos that a test draws: a thing of one kind, somewhere, in some size and colours, before a ground of some texture.
package struct DrawnPhotos {
    package enum Kind: String, CaseIterable {
        case disc, stripes, checks, ring, cross
    }

    package static func image(_ kind: Kind, number: Int, width: Int = 120, height: Int = 96) -> CGImage? {
        var random = SplitMix64(seed: UInt64(number) &* 1001 &+ UInt64(kind.rawValue.utf8.first ?? 0))
        func any(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) * 0x1p-53
        }
        let colour = (0..<3).map { _ in any(130...250) }
        let ground = (0..<3).map { _ in any(10...110) }
        let (x0, y0) = (any(40...80), any(35...60))
        let (size, angle, wave) = (any(22...34), any(0...3), any(3...9))
        let raster = try? Raster(width: width, height: height, format: .rgb8) { pixels, rowBytes in
            for row in 0..<height {
                for column in 0..<width {
                    let (x, y) = (Double(column) - x0, Double(row) - y0)
                    let (u, v) = (x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle))
                    let isInside: Bool
                    switch kind {
                    case .disc: isInside = u * u + v * v < size * size
                    case .ring: isInside = abs((u * u + v * v).squareRoot() - size) < 5
                    case .stripes: isInside = abs(u) < size && abs(v) < size && Int((u + 100) / 6) % 2 == 0
                    case .checks:
                        isInside =
                            abs(u) < size && abs(v) < size && (Int((u + 100) / 9) + Int((v + 100) / 9)) % 2 == 0
                    case .cross: isInside = min(abs(u), abs(v)) < 5 && max(abs(u), abs(v)) < size
                    }
                    let texture = 12 * sin(x / wave) * cos(y / wave)
                    for plane in 0..<3 {
                        let value = (isInside ? colour[plane] : ground[plane]) + texture
                        pixels.storeBytes(
                            of: UInt8(min(255, max(0, value))), toByteOffset: row * rowBytes + column * 3 + plane,
                            as: UInt8.self)
                    }
                }
            }
        }
        return raster.map { CGImage(raster: $0) }
    }

    @discardableResult
    package static func write(_ kind: Kind, number: Int, to url: URL) throws -> URL {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let target = try XCTUnwrap(CGImageDestinationCreateWithURL(url, "public.png", 1, nil))
        CGImageDestinationAddImage(target, try XCTUnwrap(image(kind, number: number)), nil)
        guard CGImageDestinationFinalize(target) else { throw CocoaError(.fileWriteUnknown) }
        return url
    }

    /// Folders of photos: their names are the kinds.
    package static func folders(at root: URL, kinds: [Kind], numbers: Range<Int>) throws {
        for kind in kinds {
            for number in numbers {
                try write(kind, number: number, to: root.appendingPathComponent("\(kind.rawValue)/\(number).png"))
            }
        }
    }
}
