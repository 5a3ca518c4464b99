import Foundation
package import VisionImage

/// The surface of one face as 468 points (Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on
/// Mobile GPUs", 2019), in pixels of the image, y down.
package struct FaceMesh: Hashable, Sendable {
    package static let pointCount = 468

    /// x and y in the image; z away from the camera, in the same unit, from an origin of its own.
    package let points: [SIMD3<Double>]
    /// The probability of a face in the crop, 0…1.
    package let presence: Double
    /// The crop that the network processed.
    package let crop: ImagePatch
    /// The distance, in pixels of the image, of each point of the mesh and that of the mirrored crop from their mean;
    /// empty without a mirrored crop.
    package let spread: [Double]

    init(points: [SIMD3<Double>], presence: Double, crop: ImagePatch, spread: [Double] = []) {
        self.points = points
        self.presence = presence
        self.crop = crop
        self.spread = spread
    }

    /// The pose of a head, in radians.
    package struct Angles: Hashable, Sendable {
        /// In the image, positive counter-clockwise, −π ..< π.
        package let roll: Double
        /// Positive to the person's left, which is the image's right.
        package let yaw: Double
        /// Positive downwards.
        package let pitch: Double
    }

    /// Indices of points of the mesh; left and right are the person's.
    private enum Indices {
        static let rightEye = [33, 133]
        static let leftEye = [263, 362]
        static let rightCheek = [234]
        static let leftCheek = [454]
        static let forehead = [10]
        static let chin = [152]
    }

    private func mean(_ indices: [Int]) -> SIMD3<Double> {
        indices.reduce(SIMD3.zero) { $0 + points[$1] } / Double(indices.count)
    }

    /// From the person's right eye to the left one.
    package var eyeAxis: SIMD2<Double> {
        let axis = mean(Indices.leftEye) - mean(Indices.rightEye)
        return SIMD2(axis.x, axis.y)
    }

    package var angles: Angles {
        let across = mean(Indices.leftCheek) - mean(Indices.rightCheek)
        let down = mean(Indices.chin) - mean(Indices.forehead)
        let eyes = eyeAxis
        let roll = atan2(-eyes.y, eyes.x)
        func tilt(_ axis: SIMD3<Double>) -> Double {
            atan2(axis.z, (axis.x * axis.x + axis.y * axis.y).squareRoot())
        }
        return Angles(roll: roll >= .pi ? -.pi : roll, yaw: tilt(across), pitch: tilt(down))
    }

    /// The mean of all points, and the root mean square of their distances from it.
    private var extent: (centre: SIMD2<Double>, radius: Double) {
        let sum = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
        let centre = SIMD2(sum.x, sum.y)
        let squares = points.reduce(0.0) { sum, point in
            let offset = SIMD2(point.x, point.y) - centre
            return sum + (offset * offset).sum()
        }
        return (centre, (squares / Double(points.count)).squareRoot())
    }

    /// Returns a square crop around the mesh, rotated so that the eyes are level.
    ///
    /// - Parameter margin: The side relative to the longer side of the mesh, including the forehead.
    package func crop(margin: Double, size: Int) -> ImagePatch {
        let eyes = eyeAxis
        let length = (eyes * eyes).sum().squareRoot()
        let axis = length > 0 ? eyes / length : crop.axis
        var low = SIMD2<Double>(repeating: .infinity)
        var high = -low
        for point in points {
            let rotated = SIMD2(axis.x * point.x + axis.y * point.y, axis.x * point.y - axis.y * point.x)
            low = pointwiseMin(low, rotated)
            high = pointwiseMax(high, rotated)
        }
        let (middle, extent) = ((low + high) / 2, high - low)
        return ImagePatch(
            centre: SIMD2(axis.x * middle.x - axis.y * middle.y, axis.y * middle.x + axis.x * middle.y),
            side: extent.max() * margin, axis: axis, size: size)
    }

    /// Whether the meshes coincide. The centres of faces cheek to cheek are two such radii apart.
    func isSameFace(as other: FaceMesh) -> Bool {
        let (one, two) = (extent, other.extent)
        let offset = one.centre - two.centre
        return (offset * offset).sum().squareRoot() < 1.3 * max(one.radius, two.radius)
    }
}

/// The network that makes the mesh, from the model store.
package final class FaceMeshNetwork: Sendable {
    private static let model = "face-landmark"
    /// Rows and columns of the input.
    static let side = 192
    /// The side of the crop relative to that of the box.
    static let margin = 1.5
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(store: InstalledModels = InstalledModels()) throws -> FaceMeshNetwork {
        try ModelRegistry.shared.network(model, in: store) { try FaceMeshNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(store: InstalledModels = InstalledModels()) throws {
        network = try StoredNetwork(Self.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && Set(session.outputs.compactMap(\.shape).map { $0.reduce(1) { $0 * ($1 ?? 0) } })
                    == [3 * FaceMesh.pointCount, 1]
        }
    }

    /// Returns the mesh of a face; nil where the network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - face: A candidate, in pixels of the image.
    ///   - axis: The direction from the person's right eye to the left one; nil: that of the candidate.
    package func mesh(
        of face: FaceCandidate, axis: SIMD2<Double>? = nil, in image: FaceSearchImage, threads: Int? = nil
    ) throws -> FaceMesh? {
        let crop = ImagePatch(
            centre: face.centre, side: face.size.max() * Self.margin, axis: axis ?? face.eyeAxis, size: Self.side)
        return try mesh(of: crop, pixels: try image.pixels(of: crop), threads: threads)
    }

    /// Returns the mesh of the face in a crop; nil where the network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - pixels: The pixels of the crop.
    ///   - mirrored: Whether the network processes the mirrored crop. The mesh is mirrored back: left and right are the
    ///     person's.
    func mesh(
        of crop: ImagePatch, pixels: Raster, mirrored: Bool = false, threads: Int? = nil
    ) throws -> FaceMesh? {
        precondition(pixels.width == Self.side && pixels.height == Self.side && crop.columns == Self.side)
        let pixels = mirrored ? try pixels.oriented(.upMirrored) : pixels
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            guard let numbers = outputs.first(where: { $0.elementCount > 1 })?.elements(Float.self),
                let presence = outputs.first(where: { $0.elementCount == 1 })?.elements(Float.self).first,
                numbers.allSatisfy(\.isFinite), presence.isFinite
            else { return nil }
            let points = (0..<FaceMesh.pointCount).map { point in
                let index = mirrored ? FaceMeshMirror.partner[point] : point
                let across = Double(numbers[3 * index])
                let position = crop.imagePoint(
                    SIMD2(mirrored ? Double(crop.columns) - across : across, Double(numbers[3 * index + 1])))
                return SIMD3(position.x, position.y, Double(numbers[3 * index + 2]) * crop.step)
            }
            return FaceMesh(points: points, presence: 1 / (1 + exp(-Double(presence))), crop: crop)
        }
    }
}
