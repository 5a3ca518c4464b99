import Foundation
import VisionThreads

/// A step that can make bytes of bytes, without floats for all pixels in between, within a level of what it makes of
/// floats. It is used where the step, and at most one before it, lies between stored pixels and a bitmap.
package protocol ByteRecipe: ImageRecipe {
    /// Writes the pixels of a rectangle. Several threads may call it at the same time.
    typealias Renderer = @Sendable (_ bounds: PixelRect, _ target: ByteTarget) -> Void

    /// Whether results lie within 0…1, if the inputs do and their colours are at most alpha, without being limited.
    var keepsRange: Bool { get }

    /// The largest change of a component of the result where the components of an input change by one at most.
    func gain(ofInput index: Int) -> Float

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
    package func storedBytes(of image: CIImage) throws -> ByteSource? { try bytes(of: image, limit: 0) }

    /// Returns the bytes of an image that is stored as such, in whole pixels, or is one step from those; nil for
    /// others.
    ///
    /// - Parameter limit: The number of pixels that a step may have.
    func bytes(of image: CIImage, limit: Int) throws -> ByteSource? {
        guard case .recipe(let recipe) = image.base else {
            return try source(of: image).bytes(of: image)
        }
        if let step = recipe as? any ByteRecipe { return try rounded(step, image, limit: limit) }
        // Views are without edges: a part of one has others than the stored pixels.
        guard image.extent.isInfinite, let view = recipe as? any ByteView, let input = view.inputs.first,
            view.inputs.count == 1, let source = try bytes(of: input, limit: limit)
        else { return nil }
        return view.view(of: source)
    }

    /// Returns the pixels of a step, rounded to bytes. They are half a level from what the step makes of floats, so
    /// there is one such step only before another one, which rounds as well.
    private func rounded(_ step: any ByteRecipe, _ image: CIImage, limit: Int) throws -> ByteSource? {
        if let known = steps[ObjectIdentifier(image)] { return known }
        guard step.keepsRange, let area = PixelRect(image.extent), area.cgRect == image.extent, !area.isEmpty,
            area.width <= limit / area.height, let sources = try byteSources(of: step, limit: 0),
            let render = step.renderer(sources, area)
        else { return nil }
        let raster = try Raster(width: area.width, height: area.height, format: .bgra8) { pixels, rowBytes in
            area.render(with: render, ByteTarget(pixels, rowBytes: rowBytes, area: area))
        }
        let source = ByteSource(raster: raster, area: area, visible: area, isRounded: true)
        steps[ObjectIdentifier(image)] = source
        return source
    }

    /// Returns the bytes of all inputs of a step; nil if only floats will do.
    func byteSources(of step: any ByteRecipe, limit: Int) throws -> [ByteSource]? {
        var sources: [ByteSource] = []
        var gain: Float = 0
        for (index, input) in step.inputs.enumerated() {
            guard let source = try bytes(of: input, limit: limit) else { return nil }
            if source.isRounded { gain += step.gain(ofInput: index) }
            sources.append(source)
        }
        // Half a level of the inputs must not become more.
        return gain <= 1 ? sources : nil
    }
}

extension PixelRect {
    /// The rows of a band that one thread renders.
    private static let byteBand = 64

    /// Renders the rectangle in bands.
    fileprivate func render(with render: ByteRecipe.Renderer, _ target: ByteTarget) {
        let bands = (height + Self.byteBand - 1) / Self.byteBand
        Workers.with(threads: min(bands, ThreadPool.usefulCount + 1)) { workers in
            workers.parallel(bands) { band, _ in
                let bottom = y + band * Self.byteBand
                render(
                    PixelRect(x: x, y: bottom, width: width, height: min(Self.byteBand, maxY - bottom)), target)
            }
        }
    }
}

extension CIImage {
    /// A step before the last one may have that many times the pixels of the result, and some more.
    private static let largestStep = 2

    /// Renders whole pixels as bytes from the stored bytes, the top row first, transparent outside of the extent.
    ///
    /// - Returns: Whether the image could be rendered so; otherwise nothing has been written.
    func renderBytes(in whole: PixelRect, to target: UnsafeMutableRawPointer, rowBytes: Int) throws -> Bool {
        guard case .recipe(let step) = base, let recipe = step as? any ByteRecipe else { return false }
        let visible = whole.intersection(extent)
        let limit = Self.largestStep * visible.width * visible.height + 1 << 20
        guard let sources = try RenderPass(self).byteSources(of: recipe, limit: limit),
            let render = recipe.renderer(sources, visible)
        else { return false }
        let target = ByteTarget(target, rowBytes: rowBytes, area: whole)
        target.clear(around: visible)
        if !visible.isEmpty { visible.render(with: render, target) }
        return true
    }
}
