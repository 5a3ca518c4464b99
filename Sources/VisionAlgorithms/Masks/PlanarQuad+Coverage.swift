extension PlanarQuad {
    /// Returns how much of each pixel of an image lies within the quad, 0…255, row by row: 4 × 4 points of each pixel
    /// are tested.
    ///
    /// - Precondition: The quad is convex.
    package func coverage(width: Int, height: Int) -> [UInt8] {
        let corners = area >= 0 ? corners : corners.reversed()
        let points = 4
        var result = [UInt8](repeating: 0, count: width * height)
        var counts = [Int](repeating: 0, count: width)
        for y in 0..<height {
            for index in counts.indices { counts[index] = 0 }
            for line in 0..<points {
                guard let span = Self.span(corners, at: Double(y) + (Double(line) + 0.5) / Double(points)) else {
                    continue
                }
                // The points within the span, by their number from the left edge of the image.
                func number(_ x: Double) -> Double { min(max(x, -1), Double(width) + 1) * Double(points) - 0.5 }
                let first = max(0, Int(number(span.lowerBound).rounded(.up)))
                let end = min(width * points, Int(number(span.upperBound).rounded(.down)) + 1)
                guard first < end else { continue }
                let (left, right) = (first / points, (end - 1) / points)
                if left == right {
                    counts[left] += end - first
                } else {
                    counts[left] += (left + 1) * points - first
                    for x in left + 1..<right { counts[x] += points }
                    counts[right] += end - right * points
                }
            }
            for x in 0..<width { result[y * width + x] = UInt8((counts[x] * 255 + 8) / (points * points)) }
        }
        return result
    }

    /// Returns the part of a row that lies within the corners of a convex polygon; nil without any.
    private static func span(_ corners: [PlanarPoint], at y: Double) -> ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            guard (a.y <= y) != (b.y <= y) else { continue }
            let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
            (low, high) = (min(low, x), max(high, x))
        }
        return low <= high ? low...high : nil
    }
}
