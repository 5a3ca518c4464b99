package import VisionImage

/// The masks of up to 255 objects that do not overlap: the object at each pixel, and how much of the pixel it covers.
package struct InstanceMasks: Equatable, Sendable {
    package static let mostInstances = 255

    package let width: Int
    package let height: Int
    /// The object that a pixel belongs to as far as it belongs to one, from 1; 0 for none. Row by row.
    package let labels: [UInt8]
    /// The part of a pixel that belongs to the object, 0…255 for 0…1.
    package let coverage: [UInt8]

    /// - Precondition: Both arrays have a value for each pixel.
    package init(width: Int, height: Int, labels: [UInt8], coverage: [UInt8]) {
        precondition(width > 0 && height > 0 && labels.count == width * height && coverage.count == labels.count)
        (self.width, self.height, self.labels, self.coverage) = (width, height, labels, coverage)
    }

    /// The numbers of the objects that have a pixel of which they cover half or more.
    package var instances: [Int] {
        var seen = [Bool](repeating: false, count: 256)
        for (label, share) in zip(labels, coverage) where share >= 128 { seen[Int(label)] = true }
        return (1...Self.mostInstances).filter { seen[$0] }
    }

    /// The object of each pixel of which it covers half or more; 0 for the background.
    package var solidLabels: [UInt8] { zip(labels, coverage).map { $1 >= 128 ? $0 : 0 } }

    /// Returns the part of each pixel that belongs to one of the objects; 0 stands for the background.
    package func mask(of wanted: Set<Int>) -> FloatMap {
        var isWanted = [Bool](repeating: false, count: 256)
        for index in wanted where (0...Self.mostInstances).contains(index) { isWanted[index] = true }
        let values = zip(labels, coverage).map { label, share -> Float in
            let part = label == 0 ? 0 : Float(share) / 255
            return (label != 0 && isWanted[Int(label)] ? part : 0) + (isWanted[0] ? 1 - part : 0)
        }
        return FloatMap(width: width, height: height, values: values)
    }

    /// Returns the masks without objects that cover less than a number of pixels, and numbers the others again, in the
    /// order of their numbers.
    package func without(smallerThan least: Int) -> InstanceMasks {
        var counts = [Int](repeating: 0, count: 256)
        for (label, share) in zip(labels, coverage) where share >= 128 { counts[Int(label)] += 1 }
        var numbers = [UInt8](repeating: 0, count: 256)
        var next: UInt8 = 0
        for label in 1...Self.mostInstances where counts[label] >= max(least, 1) {
            next += 1
            numbers[label] = next
        }
        let kept = labels.map { numbers[Int($0)] }
        return InstanceMasks(
            width: width, height: height, labels: kept, coverage: zip(kept, coverage).map { $0 == 0 ? 0 : $1 })
    }
}
