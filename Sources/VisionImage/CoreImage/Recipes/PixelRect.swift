package import Foundation

/// A rectangle of whole pixels in Core Image's coordinates: y points up.
package struct PixelRect: Hashable, Sendable {
    package let x, y, width, height: Int

    package var maxX: Int { x + width }
    package var maxY: Int { y + height }
    package var isEmpty: Bool { width == 0 || height == 0 }
    package var cgRect: CGRect { CGRect(x: x, y: y, width: width, height: height) }

    /// The largest coordinate: sums and products of a few do not overflow.
    private static let limit = 1e9

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, max(0, width), max(0, height))
    }

    /// The pixels that a rectangle touches; nil if it has none, is not finite, or lies beyond a milliard pixels.
    package init?(_ rect: CGRect) {
        let edges = [rect.minX, rect.minY, rect.maxX, rect.maxY].map(Double.init)
        guard !rect.isNull, edges.allSatisfy({ $0.magnitude < Self.limit }) else { return nil }
        let (left, bottom) = (Int(edges[0].rounded(.down)), Int(edges[1].rounded(.down)))
        let (right, top) = (Int(edges[2].rounded(.up)), Int(edges[3].rounded(.up)))
        guard right > left, top > bottom else { return nil }
        self.init(x: left, y: bottom, width: right - left, height: top - bottom)
    }

    package func intersection(_ other: PixelRect) -> PixelRect {
        let (left, bottom) = (max(x, other.x), max(y, other.y))
        return PixelRect(
            x: left, y: bottom, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - bottom)
    }

    /// The part inside a rectangle, which may be infinite.
    package func intersection(_ rect: CGRect) -> PixelRect {
        let part = cgRect.overlap(with: rect)
        guard let touched = PixelRect(part) else { return PixelRect(x: x, y: y, width: 0, height: 0) }
        return intersection(touched)
    }

    /// Larger by that many pixels on each side.
    package func outset(x horizontal: Int, y vertical: Int) -> PixelRect {
        PixelRect(
            x: x - horizontal, y: y - vertical, width: width + 2 * horizontal, height: height + 2 * vertical)
    }
}
