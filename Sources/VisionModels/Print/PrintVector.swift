package import Foundation

/// What is wrong with feature prints or collections of them.
package enum PrintError: Error, Equatable, Sendable {
    /// Prints of two revisions or of two lengths have no distance from each other.
    case differentKinds(String)
    /// Bytes that are no print, or no collection of prints.
    case damaged(String)
    /// Features that no print can be made of.
    case impossible(String)
}

/// A feature print: a vector that lies near those of images with the same content.
///
/// Everything that compares prints goes through this type, so that a distance has the same bits wherever it is asked
/// for.
package struct PrintVector: Hashable, Sendable {
    /// The most elements of a print.
    package static let largestCount = 2048
    /// No element is further from 0: what is computed with prints stays finite.
    package static let largestElement: Float = 1e6

    /// The revision of the request that made it: distances mean something within one revision only.
    package let revision: Int
    package let elements: [Float]

    /// - Throws: `PrintError.damaged` for no elements, too many, and such as are not numbers or too far from 0.
    package init(revision: Int, elements: [Float]) throws(PrintError) {
        guard !elements.isEmpty, elements.count <= Self.largestCount else {
            throw .damaged("A feature print has 1 to \(Self.largestCount) elements, not \(elements.count).")
        }
        // A NaN is no element of any range.
        let range = -Self.largestElement...Self.largestElement
        guard elements.allSatisfy(range.contains) else {
            throw .damaged("A feature print has an element that is no number or beyond ±\(Self.largestElement).")
        }
        self.revision = revision
        self.elements = elements
    }

    // MARK: - Bytes

    /// The elements as IEEE floats of 32 bits, the least significant byte first, nothing between them.
    package var data: Data {
        var data = Data(capacity: elements.count * 4)
        for element in elements {
            let bits = element.bitPattern
            data.append(contentsOf: [
                UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
                UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 24),
            ])
        }
        return data
    }

    /// Reads what `data` gives.
    package init(revision: Int, data: Data) throws(PrintError) {
        guard data.count.isMultiple(of: 4), data.count / 4 <= Self.largestCount else {
            throw .damaged("\(data.count) bytes are no feature print.")
        }
        try self.init(revision: revision, elements: floats(of: data))
    }

    // MARK: - Distance

    /// The Euclidean distance: 0 for equal prints, the same in both directions, never NaN.
    package func distance(to other: PrintVector) throws(PrintError) -> Float {
        guard revision == other.revision else {
            throw .differentKinds(
                "The revision of the observations do not match: prints of the revisions \(revision) and "
                    + "\(other.revision) cannot be compared.")
        }
        guard elements.count == other.elements.count else {
            throw .differentKinds(
                "Prints of \(elements.count) and of \(other.elements.count) elements cannot be compared.")
        }
        return PrintKernels.distance(elements, other.elements)
    }
}

/// Floats of 32 bits, the least significant byte first.
func floats(of data: Data) -> [Float] {
    let count = data.count / 4
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
        data.withUnsafeBytes { bytes in
            for index in 0..<count {
                let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
                buffer.initializeElement(at: index, to: Float(bitPattern: bits))
            }
        }
        initialized = count
    }
}
