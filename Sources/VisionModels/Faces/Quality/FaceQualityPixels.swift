import VisionImage

/// Measurements of a square image by square cells, row by row.
extension Raster {
    /// Returns the image at half the size, each pixel the mean of four.
    func halved() throws -> Raster { try resized(width: width / 2, height: height / 2, filter: .area) }

    /// Returns the mean squared differences of a pixel from its neighbours to the right and below.
    func cellDetail(_ cells: Int) -> [Double] {
        precondition(format == .grey8 && width == height && width % cells == 0)
        let (size, last) = (width / cells, width - 1)
        return overCells(cells) { pixels, cellX, cellY in
            var sum = 0
            for y in cellY * size..<(cellY + 1) * size {
                let row = pixels + y * rowBytes
                let below = pixels + min(y + 1, last) * rowBytes
                for x in cellX * size..<(cellX + 1) * size {
                    let value = Int(row[x])
                    let (right, under) = (Int(row[min(x + 1, last)]) - value, Int(below[x]) - value)
                    sum += right * right + under * under
                }
            }
            return Double(sum) / Double(size * size)
        }
    }

    /// Returns the standard deviation of noise, estimated by a mask that ignores planes and straight edges (Immerkær,
    /// "Fast Noise Variance Estimation", 1996).
    func cellNoise(_ cells: Int) -> [Double] {
        precondition(format == .grey8 && width == height && width % cells == 0)
        let (size, last) = (width / cells, width - 1)
        return overCells(cells) { pixels, cellX, cellY in
            var sum = 0
            for y in cellY * size..<(cellY + 1) * size {
                let above = pixels + max(y - 1, 0) * rowBytes
                let row = pixels + y * rowBytes
                let below = pixels + min(y + 1, last) * rowBytes
                for x in cellX * size..<(cellX + 1) * size {
                    let (left, right) = (max(x - 1, 0), min(x + 1, last))
                    let corners = Int(above[left]) + Int(above[right]) + Int(below[left]) + Int(below[right])
                    let edges = Int(above[x]) + Int(below[x]) + Int(row[left]) + Int(row[right])
                    sum += abs(corners - 2 * edges + 4 * Int(row[x]))
                }
            }
            return Double(sum) / Double(size * size) * 0.2089
        }
    }

    /// The means of each channel.
    func cellMeans(_ cells: Int, channels: Int) -> [[Double]] {
        precondition(format.bytesPerPixel == channels && width == height && width % cells == 0)
        let size = width / cells
        return (0..<channels).map { channel in
            overCells(cells) { pixels, cellX, cellY in
                var sum = 0
                for y in cellY * size..<(cellY + 1) * size {
                    let row = pixels + y * rowBytes + channel
                    for x in cellX * size..<(cellX + 1) * size { sum += Int(row[x * channels]) }
                }
                return Double(sum) / Double(size * size)
            }
        }
    }

    /// Returns the histogram of the values in some cells.
    func faceHistogram(_ isIncluded: [Bool], _ cells: Int) -> FaceHistogram {
        precondition(format == .grey8 && width == height && width % cells == 0)
        let size = width / cells
        var counts = [Int](repeating: 0, count: 256)
        withUnsafePixels { pixels in
            let bytes = pixels.assumingMemoryBound(to: UInt8.self)
            for cell in isIncluded.indices where isIncluded[cell] {
                for y in cell / cells * size..<(cell / cells + 1) * size {
                    let row = bytes + y * rowBytes
                    for x in cell % cells * size..<(cell % cells + 1) * size { counts[Int(row[x])] += 1 }
                }
            }
        }
        return FaceHistogram(counts: counts)
    }

    private func overCells(
        _ cells: Int, _ measure: (_ pixels: UnsafePointer<UInt8>, _ x: Int, _ y: Int) -> Double
    ) -> [Double] {
        withUnsafePixels { pixels in
            let bytes = pixels.assumingMemoryBound(to: UInt8.self)
            return (0..<cells * cells).map { measure(bytes, $0 % cells, $0 / cells) }
        }
    }
}

/// A histogram of bytes.
struct FaceHistogram {
    let counts: [Int]
    private var total: Int { counts.reduce(0, +) }

    func share(in values: ClosedRange<Int>) -> Double {
        Double(counts[values].reduce(0, +)) / Double(max(total, 1))
    }

    /// Returns a quantile, with values spread evenly over their unit.
    func quantile(_ share: Double) -> Double {
        let wanted = share * Double(total)
        var below = 0.0
        for (value, count) in counts.enumerated() where count > 0 {
            let next = below + Double(count)
            if next >= wanted { return Double(value) + (wanted - below) / Double(count) - 0.5 }
            below = next
        }
        return 0
    }
}
