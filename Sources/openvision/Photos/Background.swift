import Foundation
import Vision
import VisionPhotos
import VisionVideo

/// What is put behind the people or objects of a photo.
enum Background: Sendable {
    case blur
    /// Blue, green and red.
    case colour(SIMD3<UInt8>)
    case image(Photo)

    /// Reads "blur", "#rrggbb" or the path of an image file.
    ///
    /// - Throws: `PhotoFile.Failure`, `ImageError` and `VideoError` for a text that is none of these.
    init(_ text: String) throws {
        if text == "blur" {
            self = .blur
        } else if text.hasPrefix("#") {
            guard text.count == 7, let number = UInt32(text.dropFirst(), radix: 16) else {
                throw VideoError(
                    kind: .unsupported, path: text, reason: "is no colour; write it as #rrggbb, such as #2060a0")
            }
            self = .colour(SIMD3(UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16)))
        } else {
            do {
                self = .image(try Photo(FilePath(text)))
            } catch {
                throw VideoError(kind: .io, path: text, reason: error.photoReason)
            }
        }
    }

    /// Returns the background at the size of a photo, blue first, opaque.
    ///
    /// - Parameters:
    ///   - photo: Its pixels, blue first.
    ///   - mask: What is in the foreground: where the background is blurred, its colours do not spread.
    func pixels(behind photo: Raster, mask: FloatMap) throws -> Raster {
        switch self {
        case .blur: return try Self.blurred(photo, without: mask)
        case .colour(let colour):
            return try Raster(width: photo.width, height: photo.height, format: .bgra8) { target, rowBytes in
                for y in 0..<photo.height {
                    let row = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<photo.width {
                        (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = (colour.x, colour.y, colour.z)
                        row[4 * x + 3] = 255
                    }
                }
            }
        case .image(let other):
            let whole = PixelRegion(width: other.width, height: other.height)
            let part = whole.centreCropped(toAspectOf: photo.width, photo.height)
            return try other.image(of: part, width: photo.width, height: photo.height)
        }
    }

    /// The number of pixels along the longer side of the image that is scaled down and up again.
    private static let blurSide = 28

    /// Returns the photo blurred, with every pixel weighted by how little it belongs to the foreground.
    private static func blurred(_ photo: Raster, without mask: FloatMap) throws -> Raster {
        let scale = min(1, Double(blurSide) / Double(max(photo.width, photo.height)))
        let (columns, rows) = (
            max(1, Int((Double(photo.width) * scale).rounded())), max(1, Int((Double(photo.height) * scale).rounded()))
        )
        // A little of the foreground counts, for where there is nothing else.
        let weights = FloatMap(
            width: mask.width, height: mask.height, values: mask.values.map { max(1 - $0, 0.01) })
        let weight = try weights.resized(width: columns, height: rows)
        let channels = try (0..<3).map { channel -> FloatMap in
            let values = [Float](unsafeUninitializedCapacity: photo.width * photo.height) { values, count in
                photo.withUnsafePixels { pixels in
                    for y in 0..<photo.height {
                        let row = (pixels + y * photo.rowBytes).assumingMemoryBound(to: UInt8.self)
                        for x in 0..<photo.width {
                            let index = y * photo.width + x
                            values[index] = Float(row[4 * x + channel]) * weights.values[index]
                        }
                    }
                }
                count = photo.width * photo.height
            }
            let small = try FloatMap(width: photo.width, height: photo.height, values: values)
                .resized(width: columns, height: rows)
            let means = zip(small.values, weight.values).map { $0 / max($1, 1e-6) }
            return try FloatMap(width: columns, height: rows, values: means)
                .resized(width: photo.width, height: photo.height)
        }
        return try Raster(width: photo.width, height: photo.height, format: .bgra8) { target, rowBytes in
            for y in 0..<photo.height {
                let row = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                for x in 0..<photo.width {
                    for channel in 0..<3 {
                        let value = channels[channel].values[y * photo.width + x]
                        row[4 * x + channel] = UInt8(min(max(value + 0.5, 0), 255))
                    }
                    row[4 * x + 3] = 255
                }
            }
        }
    }
}
