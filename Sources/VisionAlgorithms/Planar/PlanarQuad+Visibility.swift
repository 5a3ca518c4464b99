extension PlanarQuad {
    /// The limits between which a quad turns from one without any credit, as the image of a visible plane, to one with
    /// full credit.
    private enum Limits {
        /// The area relative to the square of the longest distance between corners: a page of 20 : 1 has 0.05.
        static let compactness = 0.02...0.05
        /// The sine of the sharpest and of the flattest corner.
        static let cornerSine = 0.04...0.12
        /// The mean thickness, in pixels.
        static let thickness = 0.75...2.5
        /// The part of the area within the frame, relative to that in the first frame.
        static let visibleShare = 0.05...0.2
    }

    /// Returns how well the quad can be the image of a rectangle that is seen well enough to be tracked, 0 … 1: 0 for
    /// a quad that is folded, or not finite, or nearly edge-on.
    var credibility: Double {
        guard isFinite, isConvex else { return 0 }
        let corners = corners
        let diameter = max(
            topLeft.distance(to: bottomRight), topRight.distance(to: bottomLeft), topLeft.distance(to: topRight),
            topRight.distance(to: bottomRight), bottomRight.distance(to: bottomLeft), bottomLeft.distance(to: topLeft))
        let sines = corners.indices.map { index -> Double in
            let (before, corner, after) = (corners[(index + 3) % 4], corners[index], corners[(index + 1) % 4])
            let product = before.distance(to: corner) * after.distance(to: corner)
            return product > 0 ? abs((before - corner).cross(after - corner)) / product : 0
        }
        let area = abs(area)
        guard diameter > 0, diameter.isFinite, area.isFinite else { return 0 }
        return min(
            Self.ramp(area / (diameter * diameter), Limits.compactness),
            Self.ramp(sines.min() ?? 0, Limits.cornerSine), Self.ramp(area / diameter, Limits.thickness))
    }

    /// Returns how well the quad can be a later image of a plane that was at `start`, 0 … 1: 0 also for one that lies
    /// almost entirely outside of the frame, or shows the other side of the plane.
    func credibility(startingAt start: (area: Double, visibleShare: Double), width: Int, height: Int) -> Double {
        guard area.sign == start.area.sign else { return 0 }
        let visible = visibleShare(width: width, height: height) / max(start.visibleShare, 1e-6)
        return min(credibility, Self.ramp(visible, Limits.visibleShare))
    }

    /// Returns the part of the quad's area that lies within a frame, 0 … 1.
    func visibleShare(width: Int, height: Int) -> Double {
        let total = abs(area)
        guard isFinite, total > 0, total.isFinite else { return 0 }
        let frame = PlanarQuad(
            topLeft: PlanarPoint(x: 0, y: 0), topRight: PlanarPoint(x: Double(width), y: 0),
            bottomRight: PlanarPoint(x: Double(width), y: Double(height)),
            bottomLeft: PlanarPoint(x: 0, y: Double(height)))
        return min(commonArea(with: frame) / total, 1)
    }

    /// Rises from 0 to 1 over a range.
    private static func ramp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
    }
}
