import VisionImage

/// Sums over square cells of an image, from which `BarcodeTexture` and `BarcodeRegions` compute texture.
struct TextureCells {
    /// For each cell, row by row, the sums of: the squared gradient, the difference and the product of its parts, its
    /// fourth power by its squared length (real, imaginary), its length, the brightness and its square.
    private(set) var sums: [SIMD8<Float>]
    let rows, columns: Int

    /// The side of a cell in pixels.
    static let side = 12
    private static let lanes = 4

    /// - Precondition: the image is `grey8`.
    init(of view: Raster) {
        (rows, columns) = (view.height / Self.side, view.width / Self.side)
        var sums = [SIMD8<Float>](repeating: .zero, count: rows * columns)
        let (rows, columns, side) = (rows, columns, Self.side)
        let (lastRow, lastColumn) = (view.height - 1, view.width - 1)
        sums.withUnsafeMutableBufferPointer { sums in
            view.withUnsafePixels { pixels in
                for row in 0..<rows {
                    for column in 0..<columns {
                        let first = column * side
                        var sum = Sum()
                        for y in (row * side)..<((row + 1) * side) {
                            let middle = pixels + y * view.rowBytes
                            let above = y > 0 ? middle - view.rowBytes : middle
                            let below = y < lastRow ? middle + view.rowBytes : middle
                            for x in stride(from: first, to: first + side, by: Self.lanes) {
                                if x > 0, x + Self.lanes <= lastColumn {
                                    sum.add(Neighbourhood(above + x, middle + x, below + x))
                                } else {
                                    sum.add(Neighbourhood(above, middle, below, x: x, lastColumn: lastColumn))
                                }
                            }
                        }
                        sums[row * columns + column] = sum.total
                    }
                }
            }
        }
        self.sums = sums
    }

    /// The neighbourhoods of four adjacent pixels of a row.
    private struct Neighbourhood {
        typealias Lanes = SIMD4<Float>

        var across, down, value: Lanes

        /// - Parameters: the first pixel in its row and in the rows around; those beside it are there.
        @inline(__always)
        init(_ above: UnsafeRawPointer, _ middle: UnsafeRawPointer, _ below: UnsafeRawPointer) {
            func lanes(_ address: UnsafeRawPointer) -> Lanes {
                Lanes(address.loadUnaligned(as: SIMD4<UInt8>.self))
            }
            self.init(
                above: (lanes(above - 1), lanes(above), lanes(above + 1)),
                middle: (lanes(middle - 1), lanes(middle), lanes(middle + 1)),
                below: (lanes(below - 1), lanes(below), lanes(below + 1)))
        }

        /// At the edges of the image, whose pixels are repeated.
        init(_ above: UnsafeRawPointer, _ middle: UnsafeRawPointer, _ below: UnsafeRawPointer, x: Int, lastColumn: Int)
        {
            func lanes(_ row: UnsafeRawPointer, _ offset: Int) -> Lanes {
                var lanes = Lanes.zero
                for lane in lanes.indices {
                    let column = min(max(0, min(x + lane, lastColumn) + offset), lastColumn)
                    lanes[lane] = Float(row.load(fromByteOffset: column, as: UInt8.self))
                }
                return lanes
            }
            self.init(
                above: (lanes(above, -1), lanes(above, 0), lanes(above, 1)),
                middle: (lanes(middle, -1), lanes(middle, 0), lanes(middle, 1)),
                below: (lanes(below, -1), lanes(below, 0), lanes(below, 1)))
        }

        /// Sobel's gradient.
        @inline(__always)
        private init(above: (Lanes, Lanes, Lanes), middle: (Lanes, Lanes, Lanes), below: (Lanes, Lanes, Lanes)) {
            let (falling, rising) = (below.2 - above.0, above.2 - below.0)
            across = (falling + rising + 2 * (middle.2 - middle.0)) / 8
            down = (falling - rising + 2 * (below.1 - above.1)) / 8
            value = middle.1
        }
    }

    private struct Sum {
        typealias Lanes = SIMD4<Float>

        var square = Lanes.zero
        var difference = Lanes.zero
        var product = Lanes.zero
        var real = Lanes.zero
        var imaginary = Lanes.zero
        var length = Lanes.zero
        var value = Lanes.zero
        var valueSquare = Lanes.zero

        @inline(__always)
        mutating func add(_ pixels: Neighbourhood) {
            let (x, y) = (pixels.across * pixels.across, pixels.down * pixels.down)
            let (difference, product) = (x - y, pixels.across * pixels.down)
            let square = x + y
            // A gradient that is not zero is at least 1/8 long.
            // (`pointwiseMax` is a call.)
            let inverse = 1 / square.replacing(with: 1e-3, where: square .< 1e-3)
            self.square += square
            self.difference += difference
            self.product += product
            real += (difference * difference - 4 * product * product) * inverse
            imaginary += 4 * difference * product * inverse
            length += square.squareRoot()
            value += pixels.value
            valueSquare += pixels.value * pixels.value
        }

        var total: SIMD8<Float> {
            SIMD8(
                square.sum(), difference.sum(), product.sum(), real.sum(), imaginary.sum(), length.sum(), value.sum(),
                valueSquare.sum())
        }
    }
}
