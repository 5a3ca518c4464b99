package import VisionAlgorithms
package import VisionImage

extension PersonMask {
    /// How fast a mask fades beyond the person's box, relative to the sides of the box: other people in a crop are in
    /// its mask as well.
    private static let fade = 0.12

    /// Returns the values, weighted by how near a pixel is to the person's box.
    fileprivate func weighted(on grid: MaskGrid) -> [Float] {
        let (stepX, stepY) = (grid.region.width / Double(grid.width), grid.region.height / Double(grid.height))
        func weights(_ first: Int, _ count: Int, _ step: Double, _ from: Double, _ start: Double, _ length: Double)
            -> [Float]
        {
            (first..<first + count).map { index in
                let position = from + (Double(index) + 0.5) * step
                let beyond = max(start - position, position - start - length, 0) / max(length, 1e-9)
                let part = beyond / Self.fade
                return Float(1 / (1 + part * part))
            }
        }
        let across = weights(part.x, part.width, stepX, grid.region.x, person.box.x, person.box.width)
        let down = weights(part.y, part.height, stepY, grid.region.y, person.box.y, person.box.height)
        var result = values
        for y in 0..<part.height {
            for x in 0..<part.width { result[y * part.width + x] *= across[x] * down[y] }
        }
        return result
    }
}

extension PersonSegmenter {
    /// The least value of a pixel's label: faint borders have one too, so that masks can be scaled.
    private static let leastValue: Float = 0.05

    /// Returns the masks of single people, the most prominent first: each pixel belongs to the person whose mask is
    /// strongest there.
    ///
    /// - Parameters:
    ///   - masks: The masks of all people, also of those that are not wanted, so that their pixels go to nobody.
    ///   - grid: The grid of the masks.
    ///   - most: The maximum number of people.
    ///   - leastScore: The lowest score of a person.
    ///   - refine: Refines a mask over the whole grid to the edges of the image, at the size of the grid.
    package static func instances(
        of masks: [PersonMask], on grid: MaskGrid, most: Int, leastScore: Float,
        refine: (FloatMap) throws -> FloatMap
    ) rethrows -> InstanceMasks {
        func prominence(_ index: Int) -> Double {
            let person = masks[index].person
            return person.box.width * person.box.height * Double(person.score)
        }
        let order = masks.indices.filter { masks[$0].person.score >= leastScore }.sorted {
            prominence($0) != prominence($1) ? prominence($0) > prominence($1) : $0 < $1
        }
        var numbers = [UInt8](repeating: 0, count: masks.count)
        for (number, index) in order.prefix(min(most, InstanceMasks.mostInstances)).enumerated() {
            numbers[index] = UInt8(number + 1)
        }
        let count = grid.width * grid.height
        var labels = [UInt8](repeating: 0, count: count)
        var strongest = [Float](repeating: 0, count: count)
        var union = [Float](repeating: 0, count: count)
        for (index, mask) in masks.enumerated() {
            let weighted = mask.weighted(on: grid)
            for y in 0..<mask.part.height {
                let (to, from) = ((mask.part.y + y) * grid.width + mask.part.x, y * mask.part.width)
                for x in 0..<mask.part.width where weighted[from + x] > strongest[to + x] {
                    strongest[to + x] = weighted[from + x]
                    let isSeen = mask.values[from + x] >= leastValue
                    labels[to + x] = isSeen ? numbers[index] : 0
                    union[to + x] = isSeen && numbers[index] > 0 ? mask.values[from + x] : 0
                }
            }
        }
        let refined = try refine(FloatMap(width: grid.width, height: grid.height, values: union))
        let coverage = zip(refined.values, labels).map { value, label in
            label == 0 ? 0 : UInt8(min(max(value, 0), 1) * 255 + 0.5)
        }
        return InstanceMasks(width: grid.width, height: grid.height, labels: labels, coverage: coverage)
            .without(smallerThan: max(4, count / 10_000))
    }
}
