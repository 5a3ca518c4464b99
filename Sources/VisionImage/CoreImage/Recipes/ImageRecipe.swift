import Foundation

/// A step from some images to another one.
package protocol ImageRecipe: Sendable {
    /// The images that the step reads.
    var inputs: [CIImage] { get }

    /// Returns the pixels of a rectangle, which lies within the extent of the image.
    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage
}

/// An image under a transform of the plane.
struct TransformRecipe: ImageRecipe {
    let image: CIImage
    let matrix: CGAffineTransform

    var inputs: [CIImage] { [image] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        if let shift = matrix.wholeShift {
            let source = PixelRect(
                x: bounds.x - shift.x, y: bounds.y - shift.y, width: bounds.width, height: bounds.height)
            return try pass.pixels(of: image, in: source).moved(to: bounds)
        }
        let determinant = matrix.a * matrix.d - matrix.b * matrix.c
        guard determinant.isFinite, determinant != 0 else {
            throw ImageError.invalidArgument("the transform of the Core Image recipe has no inverse")
        }
        let inverse = matrix.inverted()
        let needed = bounds.cgRect.applying(inverse).insetBy(dx: -1, dy: -1)
        guard let source = PixelRect(needed.overlap(with: image.extent.insetBy(dx: -1, dy: -1))) else {
            return try FloatImage(bounds: bounds)
        }
        let pixels = try pass.pixels(of: image, in: source)
        return try FloatImage(bounds: bounds) { x, y in
            let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
            return pixels.sample(
                Double(inverse.a) * x + Double(inverse.c) * y + Double(inverse.tx),
                Double(inverse.b) * x + Double(inverse.d) * y + Double(inverse.ty))
        }
    }
}

/// Stands for an image of too many steps: rendering it is an error.
struct EndlessRecipe: ImageRecipe {
    var inputs: [CIImage] { [] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        throw ImageError.invalidArgument(
            "the Core Image recipe has more than \(CIImage.longestRecipe) steps: render it in between")
    }
}

extension CGAffineTransform {
    /// The shift, where the transform does nothing but move by whole pixels.
    var wholeShift: (x: Int, y: Int)? {
        guard a == 1, b == 0, c == 0, d == 1, tx.magnitude < 1e9, ty.magnitude < 1e9, let x = Int(exactly: tx),
            let y = Int(exactly: ty)
        else { return nil }
        return (x, y)
    }
}

extension FloatImage {
    /// The same pixels in a rectangle of the same size.
    func moved(to bounds: PixelRect) -> FloatImage { FloatImage(bounds: bounds, pixels: pixels) }

    private init(bounds: PixelRect, pixels: [Pixel]) {
        self.bounds = bounds
        self.pixels = pixels
    }
}
