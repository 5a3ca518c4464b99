/// A rectangle of an image, turned as it may be, and the pixels that it becomes: what a network or a reader of text
/// sees of an image.
package struct ImagePatch: Hashable, Sendable {
    /// In pixels of the image, y down.
    package let centre: SIMD2<Double>
    /// Where the patch's upper left corner lies in the image.
    package let origin: SIMD2<Double>
    /// Width and height in pixels of the image.
    package let extent: SIMD2<Double>
    /// The direction of the patch's x axis in the image, of length 1; its y axis is a quarter turn clockwise from it.
    package let axis: SIMD2<Double>
    /// Pixels of the image for one of the patch, in both directions.
    package let step: Double
    /// Of the patch.
    package let columns: Int
    package let rows: Int

    /// A square of the image.
    ///
    /// - Parameters:
    ///   - side: pixels of the image along an edge.
    ///   - axis: any length; without a direction the patch is upright.
    ///   - size: columns and rows.
    package init(centre: SIMD2<Double>, side: Double, axis: SIMD2<Double> = SIMD2(1, 0), size: Int) {
        self.init(centre: centre, extent: SIMD2(side, side), axis: axis, columns: size, rows: size)
    }

    /// - Parameters:
    ///   - extent: pixels of the image, in the proportion of columns and rows.
    ///   - axis: any length; without a direction the patch is upright.
    package init(
        centre: SIMD2<Double>, extent: SIMD2<Double>, axis: SIMD2<Double> = SIMD2(1, 0), columns: Int, rows: Int
    ) {
        let length = (axis * axis).sum().squareRoot()
        self.axis = length > 0 ? axis / length : SIMD2(1, 0)
        self.centre = centre
        self.extent = extent
        (self.columns, self.rows) = (columns, rows)
        step = extent.x / Double(columns)
        origin = Self.turned(-SIMD2(Double(columns), Double(rows)) / 2 * step, self.axis) + centre
    }

    /// What lies right of and below a place of the image.
    ///
    /// - Parameters:
    ///   - axis: of length 1.
    ///   - step: pixels of the image for one of the patch.
    package init(origin: SIMD2<Double>, axis: SIMD2<Double>, step: Double, columns: Int, rows: Int) {
        self.origin = origin
        self.axis = axis
        self.step = step
        (self.columns, self.rows) = (columns, rows)
        extent = SIMD2(Double(columns), Double(rows)) * step
        centre = origin + Self.turned(extent / 2, axis)
    }

    private static func turned(_ offset: SIMD2<Double>, _ axis: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(axis.x * offset.x - axis.y * offset.y, axis.y * offset.x + axis.x * offset.y)
    }

    /// Pixels of the patch for one of the image.
    package var scale: Double { Double(columns) / extent.x }

    private var middle: SIMD2<Double> { SIMD2(Double(columns), Double(rows)) / 2 }

    /// Where a point of the patch lies in the image.
    package func imagePoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        centre + Self.turned((point - middle) * step, axis)
    }

    /// Where a point of the image lies in the patch.
    package func point(ofImage point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = point - centre
        return SIMD2(axis.x * offset.x + axis.y * offset.y, axis.x * offset.y - axis.y * offset.x) / step + middle
    }

    /// How far a square patch reaches from its centre along an axis of the image.
    package var reach: Double { extent.x * (abs(axis.x) + abs(axis.y)) / 2 }

    /// Whether another patch shows something almost as this one does.
    ///
    /// - Parameters:
    ///   - offset: the largest distance of the centres, in widths.
    ///   - ratio: the largest ratio of the widths.
    ///   - angle: the sine of the largest angle between the axes.
    package func isWithin(offset: Double, ratio: Double, angle: Double, of other: ImagePatch) -> Bool {
        let apart = centre - other.centre
        let (own, its) = (extent.x, other.extent.x)
        return (apart * apart).sum() < offset * offset * own * own && own < ratio * its && its < ratio * own
            && (axis * other.axis).sum() > 0 && abs(axis.x * other.axis.y - axis.y * other.axis.x) < angle
    }
}

/// Pixels that show a part of an image, of which patches are cut.
package struct ImageSection: Sendable {
    /// Bytes.
    package let raster: Raster
    /// What they show, in pixels of the image.
    package let region: PixelRegion

    package init(_ raster: Raster, of region: PixelRegion) {
        (self.raster, self.region) = (raster, region)
    }

    /// Pixels of the section for one of the image.
    package var scale: SIMD2<Double> {
        SIMD2(Double(raster.width) / region.width, Double(raster.height) / region.height)
    }

    /// Returns a patch by bilinear interpolation. Beyond the section its edge is repeated.
    ///
    /// Where the patch shows things much smaller than the section does, what lies between its pixels is skipped.
    ///
    /// - Throws: `ImageError`.
    package func pixels(of patch: ImagePatch) throws -> Raster {
        let scale = scale
        let (across, down) = (patch.axis.x * patch.step, patch.axis.y * patch.step)
        return try raster.warped(
            by: CGAffineTransform(
                a: across * scale.x, b: down * scale.y, c: -down * scale.x, d: across * scale.y,
                tx: (patch.origin.x - region.x) * scale.x, ty: (patch.origin.y - region.y) * scale.y),
            width: patch.columns, height: patch.rows, border: .replicate)
    }
}
