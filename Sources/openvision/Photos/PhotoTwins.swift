import Foundation
import Vision
import VisionExtras
import VisionPhotos

/// What two photos are compared by.
struct PhotoSignature: Sendable {
    let path: FilePath
    let width: Int
    let height: Int
    /// The size of the file.
    let bytes: Int
    let print: FeaturePrint
    private let brightness: BrightnessFields

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(_ path: FilePath, _ printer: PhotoPrinter) throws {
        let data = try PhotoFile.read(path).data
        let size = try ImageSource(data: data).uprightSize()
        self.init(
            path: path, width: size.width, height: size.height, bytes: data.count,
            print: FeaturePrint(try printer.observation(of: data)), brightness: try BrightnessFields(of: data))
    }

    init(path: FilePath, width: Int, height: Int, bytes: Int, print: FeaturePrint, brightness: BrightnessFields) {
        (self.path, self.width, self.height, self.bytes, self.print) = (path, width, height, bytes, print)
        self.brightness = brightness
    }

    /// Returns how alike the brightness of two photos is distributed, -1 to 1; mirrored photos count as alike.
    func likeness(_ other: PhotoSignature) -> Float { brightness.likeness(other.brightness) }
}

/// Groups of photos that are versions of one another: copies, resized, recompressed, a little cropped or rotated,
/// brighter, grey, or mirrored.
struct PhotoTwins {
    /// The more alike the brightness of two photos is distributed, the further apart their prints may be: versions in
    /// grey or at half the size have prints that differ much, cropped ones have not. Measured on versions made of
    /// photographs (Documentation/Accuracy.md).
    private static let limits: [(likeness: Float, distance: Float)] = [(0.95, 0.85), (0.7, 0.55), (0.45, 0.32)]

    /// The photos of each group, the one with most pixels first, with the distance of their prints from its.
    let groups: [[(photo: PhotoSignature, distance: Float)]]

    /// - Complexity: Quadratic in the number of photos, with few operations for pairs that are not alike.
    init(_ photos: [PhotoSignature]) throws {
        var parents = Array(photos.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        for first in photos.indices {
            for second in photos.indices.dropFirst(first + 1) where try Self.isTwin(photos[first], photos[second]) {
                parents[root(second)] = root(first)
            }
        }
        let members = Dictionary(grouping: photos.indices, by: root).values.filter { $0.count > 1 }
        groups = try members.sorted { ($0.first ?? 0) < ($1.first ?? 0) }.map { indices in
            let sorted = indices.map { photos[$0] }.sorted { a, b in
                (b.width * b.height, b.bytes, a.path) < (a.width * a.height, a.bytes, b.path)
            }
            return try sorted.map { ($0, try sorted[0].print.distance(to: $0.print)) }
        }
    }

    static func isTwin(_ first: PhotoSignature, _ second: PhotoSignature) throws -> Bool {
        let likeness = first.likeness(second)
        guard let limit = limits.first(where: { likeness >= $0.likeness }) else { return false }
        return try first.print.distance(to: second.print) <= limit.distance
    }
}
