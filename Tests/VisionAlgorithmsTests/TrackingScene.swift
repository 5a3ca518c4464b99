import VisionImage
import XCTest

/// A textured square in front of a fainter texture.
struct TrackingScene {
    let size = 40.0

    func box(x: Double, y: Double) -> PixelRegion { PixelRegion(x: x, y: y, width: size, height: size) }

    /// Renders the square in colour, made wider and as much lower, rotated by an angle about its centre, or hidden
    /// behind a grey patch.
    func colourFrame(
        x: Double?, y: Double, stretch: Double = 1, angle: Double = 0, coveredAt cover: PixelRegion? = nil,
        format: Raster.Format = .rgb8
    ) throws -> Raster {
        let turn = (cosine: cos(angle), sine: sin(angle))
        return try Raster(width: 320, height: 240, format: .rgb8) { pixels, rowBytes in
            for row in 0..<240 {
                for column in 0..<320 {
                    let ground = 60 + texture(Double(column), Double(row), seed: 3) / 4
                    var colour = [ground, ground + 10, ground - 10]
                    if let x {
                        let right = Double(column) - x - size / 2, down = Double(row) - y - size / 2
                        let u = (right * turn.cosine + down * turn.sine) / stretch + size / 2
                        let v = (down * turn.cosine - right * turn.sine) * stretch + size / 2
                        if u >= 0 && v >= 0 && u < size && v < size {
                            colour = [texture(u, v, seed: 7), texture(u, v, seed: 8) / 2, texture(u, v, seed: 9) / 4]
                        }
                    }
                    if let cover, Double(column) >= cover.x, Double(row) >= cover.y,
                        Double(column) < cover.x + cover.width, Double(row) < cover.y + cover.height
                    {
                        colour = [90, 100, 80]
                    }
                    for component in 0..<3 {
                        pixels.storeBytes(
                            of: UInt8(max(0, min(255, colour[component]))),
                            toByteOffset: row * rowBytes + column * 3 + component, as: UInt8.self)
                    }
                }
            }
        }.converted(to: format)
    }

    /// Renders the square, scaled about its centre, with its unscaled top left corner at (x, y); no square if x is nil.
    func frame(x: Double?, y: Double, scale: Double = 1) -> Raster {
        do {
            return try greyFrame(320, 240) { column, row in
                let ground = 60 + texture(Double(column), Double(row), seed: 3) / 4
                guard let x else { return ground }
                let u = (Double(column) - x - size / 2) / scale + size / 2
                let v = (Double(row) - y - size / 2) / scale + size / 2
                return u >= 0 && v >= 0 && u < size && v < size ? texture(u, v, seed: 7) : ground
            }
        } catch {
            preconditionFailure("No memory for a frame: \(error)")
        }
    }
}

/// Smooth noise, 0 ... 255, with details of about six pixels.
func texture(_ x: Double, _ y: Double, seed: UInt64) -> Double {
    let u = x / 6, v = y / 6
    let column = Int(u.rounded(.down)), row = Int(v.rounded(.down))
    let s = u - Double(column), t = v - Double(row)
    let top = noise(column, row, seed) * (1 - s) + noise(column + 1, row, seed) * s
    let bottom = noise(column, row + 1, seed) * (1 - s) + noise(column + 1, row + 1, seed) * s
    return top * (1 - t) + bottom * t
}

private func noise(_ column: Int, _ row: Int, _ seed: UInt64) -> Double {
    var bits = UInt64(truncatingIfNeeded: column &* 73_856_093 ^ row &* 19_349_663)
    bits = bits &+ seed &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) & 0xFF)
}

func greyFrame(_ width: Int, _ height: Int, value: (Int, Int) -> Double) throws -> Raster {
    try Raster(width: width, height: height, format: .grey8) { pixels, rowBytes in
        for y in 0..<height {
            for x in 0..<width {
                pixels.storeBytes(
                    of: UInt8(max(0, min(255, value(x, y)))), toByteOffset: y * rowBytes + x, as: UInt8.self)
            }
        }
    }
}

func assertSoundTrack(
    _ result: (box: PixelRegion, confidence: Float), _ message: String = "", confidenceBelow limit: Float = 1.0001,
    line: UInt = #line
) {
    XCTAssertTrue(result.box.isFinite, message, line: line)
    XCTAssertGreaterThan(result.box.width, 0, message, line: line)
    XCTAssertGreaterThan(result.box.height, 0, message, line: line)
    XCTAssertGreaterThanOrEqual(result.confidence, 0, message, line: line)
    XCTAssertLessThan(result.confidence, limit, message, line: line)
}
