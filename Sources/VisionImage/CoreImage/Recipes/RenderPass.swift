import Foundation

/// What one rendering knows: decoded images, and the pixels of steps that several others read.
package final class RenderPass {
    private struct Key: Hashable {
        let image: ObjectIdentifier
        let bounds: PixelRect
    }

    private let root: CIImage
    /// Images that more than one step reads: they are rendered once for each rectangle.
    private var shared: Set<ObjectIdentifier> = []
    private var done: [Key: FloatImage] = [:]
    private var decoded: [ObjectIdentifier: SourcePixels] = [:]
    /// The results of steps as bytes.
    var steps: [ObjectIdentifier: ByteSource] = [:]

    /// Starts the rendering of an image.
    package init(_ root: CIImage) {
        // Holds the root, so that no image goes away and its identity to another.
        self.root = root
        var seen: Set<ObjectIdentifier> = []
        var waiting = [root]
        while let image = waiting.popLast() {
            guard case .recipe(let recipe) = image.base else { continue }
            for input in recipe.inputs {
                if seen.insert(ObjectIdentifier(input)).inserted {
                    waiting.append(input)
                } else {
                    shared.insert(ObjectIdentifier(input))
                }
            }
        }
    }

    /// Returns the pixels of a rectangle; transparent outside of the image's extent.
    package func pixels(of image: CIImage, in bounds: PixelRect) throws -> FloatImage {
        let visible = bounds.intersection(image.extent)
        guard !visible.isEmpty else { return try FloatImage(bounds: bounds) }
        let key = Key(image: ObjectIdentifier(image), bounds: bounds)
        if let known = done[key] { return known }
        let found: FloatImage =
            switch image.base {
            case .recipe(let recipe): try recipe.render(visible, self)
            case .pixelBuffer, .image, .encoded: try source(of: image).render(visible, image.transform)
            }
        let result = try found.placed(in: bounds)
        if shared.contains(key.image) { done[key] = result }
        return result
    }

    func source(of image: CIImage) throws -> SourcePixels {
        let key = ObjectIdentifier(image)
        if let known = decoded[key] { return known }
        let source = try SourcePixels(image)
        decoded[key] = source
        return source
    }

    /// Forgets pixels, which the next band does not need.
    func endBand() { done = [:] }
}

extension CIImage {
    /// The pixels of a band: its rows times the width are at most this.
    private static let bandLimit = 1 << 21

    /// Renders whole pixels as B, G, R, A, from the top row on; transparent outside of the extent.
    package func renderedRecipe(in whole: PixelRect) throws -> Raster {
        try ImageLimits.check(width: whole.width, height: whole.height)
        return try Raster(width: whole.width, height: whole.height, format: .bgra8) { target, rowBytes in
            try renderRecipe(in: whole, to: target, rowBytes: rowBytes)
        }
    }

    /// Writes whole pixels as B, G, R, A, from the top row on; transparent outside of the extent.
    func renderRecipe(in whole: PixelRect, to target: UnsafeMutableRawPointer, rowBytes: Int) throws {
        if try renderBytes(in: whole, to: target, rowBytes: rowBytes) { return }
        try forEachBand(of: whole) { band, row in
            band.write(to: target + row * rowBytes, rowBytes: rowBytes)
        }
    }

    /// Renders bands of rows from the top on, so that the memory of steps is bounded.
    ///
    /// - Parameter body: Gets the pixels of a band and the number of rows above it.
    func forEachBand(of whole: PixelRect, _ body: (FloatImage, _ row: Int) -> Void) throws {
        let pass = RenderPass(self)
        let rows = max(1, Self.bandLimit / max(1, whole.width))
        var top = whole.maxY
        while top > whole.y {
            let bottom = max(whole.y, top - rows)
            let band = PixelRect(x: whole.x, y: bottom, width: whole.width, height: top - bottom)
            body(try pass.pixels(of: self, in: band), whole.maxY - top)
            pass.endBand()
            top = bottom
        }
    }
}
