/// Where the top left of the stored pixels belongs in the upright image: the eight values of the EXIF orientation tag.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
    /// The stored pixels are upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored at the main diagonal: the stored rows are the upright columns.
    case leftMirrored = 5
    /// To be turned by 90° clockwise to stand upright.
    case right = 6
    /// Mirrored at the other diagonal.
    case rightMirrored = 7
    /// To be turned by 90° counter-clockwise to stand upright.
    case left = 8

    /// Whether width and height change places on the way to the upright image.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The orientation that undoes this one.
    package var inverse: CGImagePropertyOrientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// The single orientation equal to applying this one and then `next`.
    package func followed(by next: CGImagePropertyOrientation) -> CGImagePropertyOrientation {
        let (first, second) = (OrientationMatrix(self), OrientationMatrix(next))
        return first.followed(by: second).orientation
    }

    /// Where a rectangle of the upright image lies in the stored pixels.
    ///
    /// Both are in pixels with the origin at the top left; `width` and `height` are those of the stored image.
    package func storedRegion(of upright: PixelRegion, storedWidth width: Double, storedHeight height: Double)
        -> PixelRegion
    {
        let (x, y, w, h) = (upright.x, upright.y, upright.width, upright.height)
        switch self {
        case .up: return upright
        case .upMirrored: return PixelRegion(x: width - x - w, y: y, width: w, height: h)
        case .down: return PixelRegion(x: width - x - w, y: height - y - h, width: w, height: h)
        case .downMirrored: return PixelRegion(x: x, y: height - y - h, width: w, height: h)
        case .leftMirrored: return PixelRegion(x: y, y: x, width: h, height: w)
        case .right: return PixelRegion(x: y, y: height - x - w, width: h, height: w)
        case .rightMirrored: return PixelRegion(x: width - y - h, y: height - x - w, width: h, height: w)
        case .left: return PixelRegion(x: width - y - h, y: x, width: h, height: w)
        }
    }
}

/// An orientation as the signed permutation that it applies to stored (x, y), y down, about the image's centre.
private struct OrientationMatrix: Equatable {
    var xx, xy, yx, yy: Int

    init(_ orientation: CGImagePropertyOrientation) {
        switch orientation {
        case .up: (xx, xy, yx, yy) = (1, 0, 0, 1)
        case .upMirrored: (xx, xy, yx, yy) = (-1, 0, 0, 1)
        case .down: (xx, xy, yx, yy) = (-1, 0, 0, -1)
        case .downMirrored: (xx, xy, yx, yy) = (1, 0, 0, -1)
        case .leftMirrored: (xx, xy, yx, yy) = (0, 1, 1, 0)
        case .right: (xx, xy, yx, yy) = (0, -1, 1, 0)
        case .rightMirrored: (xx, xy, yx, yy) = (0, -1, -1, 0)
        case .left: (xx, xy, yx, yy) = (0, 1, -1, 0)
        }
    }

    func followed(by next: OrientationMatrix) -> OrientationMatrix {
        var product = self
        product.xx = next.xx * xx + next.xy * yx
        product.xy = next.xx * xy + next.xy * yy
        product.yx = next.yx * xx + next.yy * yx
        product.yy = next.yx * xy + next.yy * yy
        return product
    }

    var orientation: CGImagePropertyOrientation {
        // The eight signed permutations are closed under composition: one always fits.
        CGImagePropertyOrientation.allCases.first { OrientationMatrix($0) == self } ?? .up
    }
}
