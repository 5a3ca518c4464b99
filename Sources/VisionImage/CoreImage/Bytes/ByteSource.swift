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

    init(raster: Raster, area: PixelRect, visible: PixelRect) {
        (self.raster, self.area, self.visible, isClamped) = (raster, area, visible, false)
    }

    private init(clamping source: ByteSource) {
        (raster, area, visible, isClamped) = (source.raster, source.area, source.visible, true)
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

/// A step that can make bytes of bytes, without floats for all pixels in between, within a level of what it makes of
/// floats. It is used where the step is the only one between stored pixels and a bitmap.
package protocol ByteRecipe: ImageRecipe {
    /// Writes the pixels of a rectangle. Several threads may call it at the same time.
    typealias Renderer = @Sendable (_ bounds: PixelRect, _ target: ByteTarget) -> Void

    /// Returns what renders bands of a rectangle of the step from the bytes of its inputs; nil if only floats will do.
    /// Bands are as wide as the rectangle.
    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer?
}

/// A step that shows the pixels of its input elsewhere without changing them.
package protocol ByteView: ImageRecipe {
    /// Returns the bytes that the step shows; nil if they are not there as such.
    func view(of source: ByteSource) -> ByteSource?
}

extension RenderPass {
    /// Returns the bytes of an image that is stored as such, in whole pixels; nil for others.
    func bytes(of image: CIImage) throws -> ByteSource? {
        guard case .recipe(let recipe) = image.base else {
            return try source(of: image).bytes(of: image)
        }
        // Views are without edges: a part of one has others than the stored pixels.
        guard image.extent.isInfinite, let view = recipe as? any ByteView, let input = view.inputs.first,
            view.inputs.count == 1, let source = try bytes(of: input)
        else { return nil }
        return view.view(of: source)
    }
}

extension CIImage {
    /// The rows of a band that one thread renders.
    private static let byteBand = 64

    /// Renders whole pixels as bytes from the stored bytes, the top row first, transparent outside of the extent.
    ///
    /// - Returns: Whether the image could be rendered so; otherwise nothing has been written.
    func renderBytes(in whole: PixelRect, to target: UnsafeMutableRawPointer, rowBytes: Int) throws -> Bool {
        guard case .recipe(let step) = base, let recipe = step as? any ByteRecipe else { return false }
        let pass = RenderPass(self)
        var sources: [ByteSource] = []
        for input in recipe.inputs {
            guard let source = try pass.bytes(of: input) else { return false }
            sources.append(source)
        }
        let visible = whole.intersection(extent)
        guard let render = recipe.renderer(sources, visible) else { return false }
        let target = ByteTarget(target, rowBytes: rowBytes, area: whole)
        target.clear(around: visible)
        guard !visible.isEmpty else { return true }
        let bands = (visible.height + Self.byteBand - 1) / Self.byteBand
        Workers.with(threads: min(bands, ThreadPool.usefulCount + 1)) { workers in
            workers.parallel(bands) { band, _ in
                let bottom = visible.y + band * Self.byteBand
                render(
                    PixelRect(
                        x: visible.x, y: bottom, width: visible.width,
                        height: min(Self.byteBand, visible.maxY - bottom)), target)
            }
        }
        return true
    }
}
