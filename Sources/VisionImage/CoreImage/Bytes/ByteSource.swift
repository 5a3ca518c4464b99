import Foundation
import VisionThreads

/// Stored pixels as bytes blue, green, red and alpha, the colours multiplied by alpha, at their position in Core
/// Image's coordinates.
package struct ByteSource: Sendable {
    package let raster: Raster
    /// The position of the raster.
    let area: PixelRect
    /// The part that an image shows, which lies within the area.
    package let visible: PixelRect
    /// Whether the pixels of the edges repeat without end; otherwise there is transparent black around.
    package let isClamped: Bool
    /// Whether the pixels are those of a step, rounded, and not stored ones.
    let isRounded: Bool

    init(raster: Raster, area: PixelRect, visible: PixelRect, isRounded: Bool = false) {
        (self.raster, self.area, self.visible, isClamped) = (raster, area, visible, false)
        self.isRounded = isRounded
    }

    private init(clamping source: ByteSource) {
        (raster, area, visible, isClamped) = (source.raster, source.area, source.visible, true)
        isRounded = source.isRounded
    }

    /// The same pixels, those of the edges repeated without end; nil if that is not what lies within `area`.
    package func clamped(to area: PixelRect) -> ByteSource? {
        visible == area && !isClamped ? ByteSource(clamping: self) : nil
    }

    /// The part of an interval of columns for which there are pixels to read; the nearest column where there would be
    /// none and the edges repeat.
    func columns(from start: Int, to end: Int) -> Range<Int> {
        guard isClamped else {
            let first = max(start, visible.x)
            return first..<max(first, min(end, visible.maxX))
        }
        let first = min(max(start, visible.x), visible.maxX - 1)
        return first..<max(first, min(end, visible.maxX) - 1) + 1
    }

    /// The address of a pixel of a visible column, given that of the raster; nil for rows of transparent black.
    func address(_ x: Int, _ y: Int, _ base: UnsafeRawPointer) -> UnsafePointer<UInt8>? {
        guard isClamped || (y >= visible.y && y < visible.maxY) else { return nil }
        let row = min(max(y, visible.y), visible.maxY - 1)
        return (base + (area.maxY - 1 - row) * raster.rowBytes + 4 * (x - area.x)).bytes
    }
}

/// Memory for the pixels of a rectangle as bytes blue, green, red and alpha, the top row first.
package struct ByteTarget: @unchecked Sendable {
    // Unchecked because of the address: the bands of a rendering have parts of their own.
    private let address: UnsafeMutableRawPointer
    private let rowBytes: Int
    let area: PixelRect

    init(_ address: UnsafeMutableRawPointer, rowBytes: Int, area: PixelRect) {
        (self.address, self.rowBytes, self.area) = (address, rowBytes, area)
    }

    /// The address of a pixel of the rectangle.
    func at(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        (address + (area.maxY - 1 - y) * rowBytes + 4 * (x - area.x)).bytes
    }

    /// Makes a part of the rectangle transparent black.
    package func clear(_ part: PixelRect) {
        guard !part.isEmpty else { return }
        for y in part.y..<part.maxY { at(part.x, y).update(repeating: 0, count: 4 * part.width) }
    }

    /// Makes everything outside of a part of the rectangle transparent black.
    func clear(around part: PixelRect) {
        guard !part.isEmpty else { return clear(area) }
        let (left, right) = (part.x - area.x, area.maxX - part.maxX)
        clear(PixelRect(x: area.x, y: area.y, width: area.width, height: part.y - area.y))
        clear(PixelRect(x: area.x, y: part.maxY, width: area.width, height: area.maxY - part.maxY))
        clear(PixelRect(x: area.x, y: part.y, width: left, height: part.height))
        clear(PixelRect(x: part.maxX, y: part.y, width: right, height: part.height))
    }
}
