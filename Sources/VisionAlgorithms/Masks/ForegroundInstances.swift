package import VisionImage

/// Divides a map of what belongs to objects in the foreground into objects: people with masks of their own, and the
/// modes of the rest.
package struct ForegroundInstances: Sendable {
    /// The longer side of the masks.
    package static let gridSide = 512
    /// How the edges of masks follow those of the image: a position of the map has several pixels of the grid.
    package static let filter = GuidedFilter(radius: 6, epsilon: 1e-3)
    /// The maximum number of people that are objects of their own.
    package static let mostPeople = 16
    /// The maximum number of other objects.
    private static let mostObjects = 16

    /// A map whose highest value is lower has no object.
    private static let leastPeak: Float = 0.8
    /// Positions with lower values belong to no object; two peaks are two objects if the saddle between them is below
    /// this share of the lower one; smaller objects are left out.
    private static let modes = MapModes(floor: 0.3, saddle: 0.5, extent: 0.4, leastShare: 0.05)
    /// The least part of a person's mask that is in the foreground.
    private static let leastPersonShare = 0.4
    /// The least part of the grid that an object covers.
    private static let leastArea = 0.002

    private let map: FloatMap

    /// - Parameters:
    ///   - objectness: Values in 0…1, row by row.
    ///   - columns: The number of values in a row.
    package init(objectness: [Float], columns: Int) {
        map = FloatMap(width: columns, height: objectness.count / columns, values: objectness)
    }

    /// Whether anything stands out.
    package var hasObjects: Bool { (map.values.max() ?? 0) >= Self.leastPeak }

    /// Returns the masks of the objects, the largest first.
    ///
    /// - Parameters:
    ///   - size: The size of the masks.
    ///   - people: The masks of people at that size.
    ///   - refine: Refines a mask of that size to the edges of the image.
    package func instances(
        on size: (width: Int, height: Int), people: InstanceMasks?, refine: (FloatMap) throws -> FloatMap
    ) throws -> InstanceMasks {
        let (width, height) = size
        guard hasObjects else {
            let zeros = [UInt8](repeating: 0, count: width * height)
            return InstanceMasks(width: width, height: height, labels: zeros, coverage: zeros)
        }
        let large = try map.resized(width: width, height: height)
        let persons = people.map { prominent($0, in: large) } ?? []
        // What is left after the people, at the positions of the map.
        var rest = map.values
        if let people, !persons.isEmpty {
            let taken = try people.mask(of: Set(persons)).resized(width: map.width, height: map.height, filter: .area)
            for index in rest.indices { rest[index] *= 1 - min(1, 1.5 * taken.values[index]) }
        }
        let objects = Self.modes.modes(of: rest, columns: map.width)
        let assigned = Self.modes.assignment(of: rest, columns: map.width)
        let solid = objects.prefix(Self.mostObjects).indices.filter { objects[$0].peak >= Self.leastPeak }
        var numbers = [Int: UInt8]()
        for index in solid { numbers[index] = UInt8(persons.count + numbers.count + 1) }
        let areas = Self.spread(assigned.map { $0.flatMap { numbers[$0] } ?? 0 }, columns: map.width)
        let refined = try refine(FloatMap(width: width, height: height, values: large.values.map { min(1, $0) }))
        var labels = [UInt8](repeating: 0, count: width * height)
        var coverage = labels
        for y in 0..<height {
            let row = min((2 * y + 1) * map.height / (2 * height), map.height - 1)
            for x in 0..<width {
                let index = y * width + x
                if let people, people.coverage[index] > 0,
                    let number = persons.firstIndex(of: Int(people.labels[index]))
                {
                    (labels[index], coverage[index]) = (UInt8(number + 1), people.coverage[index])
                    if people.coverage[index] >= 128 { continue }
                }
                let column = min((2 * x + 1) * map.width / (2 * width), map.width - 1)
                let label = areas[row * map.width + column]
                let share = UInt8(min(max(refined.values[index], 0), 1) * 255 + 0.5)
                if label != 0, share > coverage[index] { (labels[index], coverage[index]) = (label, share) }
            }
        }
        return InstanceMasks(width: width, height: height, labels: labels, coverage: coverage)
            .without(smallerThan: max(4, Int(Self.leastArea * Double(width * height))))
            .largestFirst()
    }

    /// Returns the people who are mostly in the foreground.
    private func prominent(_ people: InstanceMasks, in foreground: FloatMap) -> [Int] {
        var sums = [Double](repeating: 0, count: 256), weights = sums
        for index in people.labels.indices where people.coverage[index] >= 128 {
            sums[Int(people.labels[index])] += Double(foreground.values[index])
            weights[Int(people.labels[index])] += 1
        }
        return people.instances.filter { sums[$0] >= Self.leastPersonShare * weights[$0] }
    }

    /// Returns labels of a map grown by two positions into positions without one, nearest first.
    private static func spread(_ labels: [UInt8], columns: Int) -> [UInt8] {
        let rows = labels.count / columns
        var labels = labels
        for _ in 0..<2 {
            let before = labels
            for y in 0..<rows {
                for x in 0..<columns where before[y * columns + x] == 0 {
                    for (u, v) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
                    where u >= 0 && v >= 0 && u < columns && v < rows && before[v * columns + u] != 0 {
                        labels[y * columns + x] = before[v * columns + u]
                        break
                    }
                }
            }
        }
        return labels
    }
}

extension InstanceMasks {
    /// Returns the masks with the objects numbered by falling area; of equal ones the lower number first.
    func largestFirst() -> InstanceMasks {
        var counts = [Int](repeating: 0, count: 256)
        for (label, share) in zip(labels, coverage) where share >= 128 { counts[Int(label)] += 1 }
        let order = instances.sorted { counts[$0] != counts[$1] ? counts[$0] > counts[$1] : $0 < $1 }
        var numbers = [UInt8](repeating: 0, count: 256)
        for (number, label) in order.enumerated() { numbers[label] = UInt8(number + 1) }
        return InstanceMasks(
            width: width, height: height, labels: labels.map { numbers[Int($0)] }, coverage: coverage)
    }
}
