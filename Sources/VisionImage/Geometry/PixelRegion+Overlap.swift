extension PixelRegion {
    /// Returns the area of the intersection over the area of the union, from 0 to 1; 0 where an edge is not finite or
    /// both areas are 0.
    package func intersectionOverUnion(with other: PixelRegion) -> Double {
        guard isFinite, other.isFinite else { return 0 }
        let across = max(0, min(x + width, other.x + other.width) - max(x, other.x))
        let down = max(0, min(y + height, other.y + other.height) - max(y, other.y))
        let common = across * down
        let union = width * height + other.width * other.height - common
        return union > 0 ? common / union : 0
    }

    /// Returns the distance between the centres in pixels; infinity where an edge is not finite.
    package func centreDistance(to other: PixelRegion) -> Double {
        guard isFinite, other.isFinite else { return .infinity }
        let across = x + width / 2 - other.x - other.width / 2
        let down = y + height / 2 - other.y - other.height / 2
        return (across * across + down * down).squareRoot()
    }
}
