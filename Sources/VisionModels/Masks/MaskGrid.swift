package import VisionImage

/// The pixels of a mask over a region of an image, to which the masks of crops are added.
package struct MaskGrid: Sendable {
    /// In pixels of the image.
    package let region: PixelRegion
    package let width: Int
    package let height: Int

    /// A grid with about the aspect ratio of the region.
    ///
    /// - Parameter longest: The limit of the longer side; a grid has no more pixels than the region.
    package init(of region: PixelRegion, longest: Int) {
        let scale = min(1, Double(longest) / max(region.width, region.height))
        self.region = region
        width = min(longest, max(1, Int((region.width * scale).rounded())))
        height = min(longest, max(1, Int((region.height * scale).rounded())))
    }

    /// A rectangle of whole pixels of the grid.
    struct Part: Equatable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// Returns the pixels of the grid whose centres lie in a rectangle of the image; nil without any.
    func part(of rectangle: PixelRegion) -> Part? {
        func span(_ start: Double, _ length: Double, _ from: Double, _ all: Double, _ count: Int) -> Range<Int>? {
            let scale = Double(count) / all
            let first = (((start - from) * scale - 0.5).rounded(.up)), end = ((start + length - from) * scale - 0.5)
            guard first.isFinite, end.isFinite else { return nil }
            let low = Int(min(max(first, 0), Double(count)))
            let high = Int(min(max(end.rounded(.up), 0), Double(count)))
            return low < high ? low..<high : nil
        }
        guard let columns = span(rectangle.x, rectangle.width, region.x, region.width, width),
            let rows = span(rectangle.y, rectangle.height, region.y, region.height, height)
        else { return nil }
        return Part(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// Returns the values of a crop's mask at the pixels of the grid that it covers; nil where it covers none.
    func values(of mask: CropMask) throws -> (part: Part, map: FloatMap)? {
        guard let part = part(of: mask.region) else { return nil }
        // The part in positions of the mask; its outermost pixels may begin half a pixel beyond.
        let (stepX, stepY) = (region.width / Double(width), region.height / Double(height))
        let (scaleX, scaleY) = (
            Double(mask.map.width) / mask.region.width, Double(mask.map.height) / mask.region.height
        )
        let source = PixelRegion(
            x: (region.x + Double(part.x) * stepX - mask.region.x) * scaleX,
            y: (region.y + Double(part.y) * stepY - mask.region.y) * scaleY,
            width: Double(part.width) * stepX * scaleX, height: Double(part.height) * stepY * scaleY
        ).clamped(toWidth: mask.map.width, height: mask.map.height)
        guard source.width > 0, source.height > 0 else { return nil }
        return (part, try mask.map.resized(width: part.width, height: part.height, region: source))
    }
}

/// The mask of one person within a part of a grid.
package struct PersonMask: Sendable {
    package let person: FoundPerson
    let part: MaskGrid.Part
    /// Values in 0…1, row by row.
    let values: [Float]

    /// The memory of the values.
    package var byteCount: Int { values.count * MemoryLayout<Float>.size }
}

/// Sums of weighted masks in a part of a grid.
struct MaskSum {
    let part: MaskGrid.Part
    private(set) var values: [Float]

    init(_ part: MaskGrid.Part) {
        self.part = part
        values = [Float](repeating: 0, count: part.width * part.height)
    }

    /// Adds a map that lies within the part.
    mutating func add(_ map: FloatMap, at place: MaskGrid.Part, weight: Float) {
        let width = part.width
        values.withUnsafeMutableBufferPointer { target in
            map.values.withUnsafeBufferPointer { source in
                for y in 0..<place.height {
                    let to = (place.y - part.y + y) * width + place.x - part.x
                    let from = y * place.width
                    for x in 0..<place.width { target[to + x] += weight * source[from + x] }
                }
            }
        }
    }
}
