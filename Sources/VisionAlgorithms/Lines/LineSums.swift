/// Sums of a straight-line fit by weighted least squares.
struct LineSums {
    private var n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0

    mutating func add(_ x: Double, _ y: Double, weight: Double) {
        n += weight
        sx += weight * x
        sy += weight * y
        sxx += weight * x * x
        sxy += weight * x * y
    }

    /// Returns y = start + slope x; the slope is regularised towards `prior` like by points whose squared distances add
    /// up to `strength`.
    func line(prior: Double, strength: Double) -> (start: Double, slope: Double) {
        guard n > 0 else { return (0, prior) }
        let (mx, my) = (sx / n, sy / n)
        let slope = (sxy - n * mx * my + strength * prior) / (sxx - n * mx * mx + strength)
        return (my - slope * mx, slope)
    }
}
