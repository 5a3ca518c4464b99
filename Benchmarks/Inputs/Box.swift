/// A rectangle in pixels, origin at the top left; what truth files and results hold.
struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    private var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

    /// Area of the intersection over area of the union; 0 where either is no rectangle.
    func overlap(with other: Box) -> Double {
        guard isFinite, other.isFinite else { return 0 }
        let across = max(0, min(x + width, other.x + other.width) - max(x, other.x))
        let down = max(0, min(y + height, other.y + other.height) - max(y, other.y))
        let common = across * down
        let union = width * height + other.width * other.height - common
        return union > 0 ? common / union : 0
    }

    /// Infinite where either is no rectangle.
    func centreDistance(to other: Box) -> Double {
        guard isFinite, other.isFinite else { return .infinity }
        let across = x + width / 2 - other.x - other.width / 2
        let down = y + height / 2 - other.y - other.height / 2
        return (across * across + down * down).squareRoot()
    }
}
