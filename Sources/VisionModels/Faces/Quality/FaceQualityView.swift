import VisionImage

/// A face normalised for the measurement of its quality: upright, of one size, with a mask of the face.
struct FaceQualityView {
    /// The side of the view, in pixels.
    static let side = 256
    /// The number of cells along a side; measurements are by cell.
    static let cells = 16
    /// The side of the crop relative to the length of the face from the top of the forehead to the chin.
    private static let margin = 1.25

    let crop: ImagePatch
    let grey: Raster
    let colour: Raster
    /// Whether a cell lies in the face, row by row.
    let isFace: [Bool]
    /// The distance from the forehead to the chin, in pixels of the image.
    let length: Double
    /// The points of the mesh in pixels of the view.
    let points: [SIMD2<Double>]

    /// The outline of the face, by points of the mesh.
    private static let outline = [
        10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
        150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
    ]

    /// The right eye, the left eye, the nose and the mouth, by points of the mesh around them.
    static let parts = [[33, 133, 159, 145], [263, 362, 386, 374], [1, 4, 98, 327], [61, 291, 13, 14]]

    /// Returns the crop of the view; nil for a mesh that is not a valid face.
    private static func crop(of mesh: FaceMesh) -> (crop: ImagePatch, length: Double)? {
        let down = mesh.points[152] - mesh.points[10]
        let length = (down * down).sum().squareRoot()
        let sum = outline.reduce(SIMD3<Double>.zero) { $0 + mesh.points[$1] } / Double(outline.count)
        guard length.isFinite, length >= 1, sum.x.isFinite, sum.y.isFinite else { return nil }
        let crop = ImagePatch(
            centre: SIMD2(sum.x, sum.y), side: length * margin, axis: mesh.eyeAxis, size: side)
        return (crop, length)
    }

    /// - Returns: nil where the face lies outside the image.
    init?(
        of mesh: FaceMesh, in region: PixelRegion, pixels: (Derivative) throws -> Raster
    ) throws {
        guard let (crop, length) = Self.crop(of: mesh),
            let closeUp = try CloseUp(around: crop, in: region, pixels: pixels)
        else { return nil }
        self.crop = crop
        self.length = length
        colour = try closeUp.pixels(of: crop)
        grey = try colour.converted(to: .grey8)
        points = mesh.points.map { crop.point(ofImage: SIMD2($0.x, $0.y)) }
        isFace = Self.cells(within: Self.outline.map { [points] in points[$0] }, crop, region)
    }

    /// Returns whether the centre of each cell lies within the outline and within the image.
    private static func cells(
        within outline: [SIMD2<Double>], _ crop: ImagePatch, _ region: PixelRegion
    ) -> [Bool] {
        let step = Double(side / cells)
        return (0..<cells * cells).map { cell in
            let middle = (SIMD2(Double(cell % cells), Double(cell / cells)) + 0.5) * step
            let position = crop.imagePoint(middle)
            guard position.x >= region.x, position.y >= region.y, position.x < region.x + region.width,
                position.y < region.y + region.height
            else { return false }
            var inside = false
            for (a, b) in zip(outline, outline.dropFirst() + outline.prefix(1))
            where (a.y > middle.y) != (b.y > middle.y) {
                if middle.x < a.x + (middle.y - a.y) / (b.y - a.y) * (b.x - a.x) { inside.toggle() }
            }
            return inside
        }
    }
}
