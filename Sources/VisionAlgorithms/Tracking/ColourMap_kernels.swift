import Foundation
import Synchronization
package import VisionImage

/// The colours of all square blocks of a frame's pixels, 16 levels a component: the points of views, for trackers whose views
/// lie over each other. A view takes the same colours from here as from the frame.
///
/// Rows are made in bands, when a view first needs them, so that threads seldom wait for each other.
package final class ColourMap: @unchecked Sendable {
    // Unchecked: the rows of a band are written under its lock, before it is said to be made, and only read from then on.
    private final class Band {
        let lock = NSLock()
        let isMade = Atomic(false)
    }

    private static let bandRows = 32

    /// Pixels along the sides of a block, which begins at its number; beyond the frame its edge pixels go on.
    let block: Int
    private let pixels: Raster
    private let order: (red: Int, green: Int, blue: Int)
    private let memory: PixelMemory
    private let bands: [Band]

    /// Whether there are maps of such pixels.
    package static func covers(_ format: Raster.Format, block: Int) -> Bool {
        format.bytesPerPixel == 4 && format.componentOrder != nil && levels(block) != nil
    }

    /// Nothing is worked out yet.
    ///
    /// - Throws: `ImageError.unsupportedFormat` where there are no maps of such pixels, `ImageError.outOfMemory`.
    package init(_ pixels: Raster, block: Int) throws {
        guard Self.covers(pixels.format, block: block), let order = pixels.format.componentOrder else {
            throw ImageError.unsupportedFormat("colours of blocks cannot be read from \(pixels.format)")
        }
        let bytes = pixels.width * pixels.height * MemoryLayout<UInt16>.stride
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        self.block = block
        self.pixels = pixels
        self.order = (Int(order.red), Int(order.green), Int(order.blue))
        self.memory = memory
        bands = (0..<(pixels.height + Self.bandRows - 1) / Self.bandRows).map { _ in Band() }
    }

    package var byteCount: Int { memory.ownedBytes }

    /// Writes the points of the square view whose corner lies at (x, y), red << 8 | green << 4 | blue.
    func read(into points: UnsafeMutableBufferPointer<UInt16>, side: Int, x: Double, y: Double, step: Double) {
        precondition(points.count >= side * side)
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * side) { places in
            for index in 0..<side {
                places[index] = Self.first(x + Double(index) * step, pixels.width)
                places[side + index] = Self.first(y + Double(index) * step, pixels.height)
            }
            guard let low = places[side...].min(), let high = places[side...].max() else { return }
            for band in low / Self.bandRows...high / Self.bandRows { make(band) }
            let colours = memory.address.assumingMemoryBound(to: UInt16.self)
            for row in 0..<side {
                let line = colours + places[side + row] * pixels.width
                for column in 0..<side { points[row * side + column] = line[places[column]] }
            }
        }
    }

    /// The pixel that a block begins with, as the kernel that reads the frame itself has it.
    private static func first(_ place: Double, _ length: Int) -> Int {
        let place = place > -1e6 ? min(place, 1e6) : -1e6
        return min(max(Int(place.rounded(.down)), 0), length - 1)
    }

    /// By how much the sum of a component over a block is shifted, so that 16 levels come out.
    private static func levels(_ block: Int) -> UInt32? {
        switch block {
        case 1: 4
        case 2: 6
        case 4: 8
        default: nil
        }
    }

    private func make(_ number: Int) {
        let band = bands[number]
        guard !band.isMade.load(ordering: .acquiring) else { return }
        if !Awake.wait(until: { band.lock.try() }) { band.lock.lock() }
        defer { band.lock.unlock() }
        guard !band.isMade.load(ordering: .acquiring) else { return }
        let first = number * Self.bandRows
        write(first..<min(first + Self.bandRows, pixels.height))
        band.isMade.store(true, ordering: .releasing)
    }

    private func write(_ rows: Range<Int>) {
        let (width, block, rowBytes) = (pixels.width, block, pixels.rowBytes)
        guard let levels = Self.levels(block) else { return }
        pixels.withUnsafePixels { source in
            // A pixel is two words with two of its bytes each, far enough apart to be summed.
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * (width + block)) { words in
                guard let even = words.baseAddress else { return }
                let odd = even + width + block
                func part(_ component: Int) -> (words: UnsafeMutablePointer<UInt32>, shift: UInt32) {
                    (component % 2 == 0 ? even : odd, levels + (component < 2 ? 0 : 16))
                }
                let (red, green, blue) = (part(order.red), part(order.green), part(order.blue))
                for row in rows {
                    for index in 0..<block {
                        let line = source + min(row + index, pixels.height - 1) * rowBytes
                        Self.addBytes(line, width, even, odd, isFirst: index == 0)
                    }
                    for index in 0..<block {
                        (even[width + index], odd[width + index]) = (even[width - 1], odd[width - 1])
                    }
                    // In place: what is behind has not been touched yet.
                    Self.sumAcross(even, width, block)
                    Self.sumAcross(odd, width, block)
                    let to = (memory.address + row * width * 2).assumingMemoryBound(to: UInt16.self)
                    for x in 0..<width {
                        let r = (red.words[x] &>> red.shift) & 15, g = (green.words[x] &>> green.shift) & 15
                        let b = (blue.words[x] &>> blue.shift) & 15
                        to[x] = UInt16(truncatingIfNeeded: r &<< 8 | g &<< 4 | b)
                    }
                }
            }
        }
    }

    private static func addBytes(
        _ line: UnsafeRawPointer, _ width: Int, _ even: UnsafeMutablePointer<UInt32>,
        _ odd: UnsafeMutablePointer<UInt32>, isFirst: Bool
    ) {
        if isFirst {
            for x in 0..<width {
                let pixel = UInt32(littleEndian: line.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
                even[x] = pixel & 0xFF_00FF
                odd[x] = (pixel &>> 8) & 0xFF_00FF
            }
        } else {
            for x in 0..<width {
                let pixel = UInt32(littleEndian: line.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
                even[x] = even[x] &+ (pixel & 0xFF_00FF)
                odd[x] = odd[x] &+ ((pixel &>> 8) & 0xFF_00FF)
            }
        }
    }

    /// Each word becomes the sum of the `block` words from it on.
    private static func sumAcross(_ words: UnsafeMutablePointer<UInt32>, _ width: Int, _ block: Int) {
        switch block {
        case 2: for x in 0..<width { words[x] = words[x] &+ words[x &+ 1] }
        case 4:
            for x in 0..<width { words[x] = (words[x] &+ words[x &+ 1]) &+ (words[x &+ 2] &+ words[x &+ 3]) }
        default: break
        }
    }
}
