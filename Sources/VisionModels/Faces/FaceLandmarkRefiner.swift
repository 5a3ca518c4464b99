import Foundation
import VisionImage

/// Moves the 68 points that are made of the mesh to where the image shows them.
///
/// Histograms of oriented gradients around each point, at two scales, and the shape of the mesh make the offsets of all points by
/// one linear map (a step of supervised descent; Xiong and De la Torre, 2013). The face and its mirror image are both measured and
/// the mean counts, so that mirrored faces have mirrored points. Training/Faces/train_landmarks.py fits it.
final class FaceLandmarkRefiner: Sendable {
    private static let loaded = Locked<FaceLandmarkRefiner?>(nil)
    private static let pointCount = 68
    /// Pixels along an edge of the crop that is measured, and an edge for the longer edge of the mesh.
    private static let side = 160
    private static let margin = 1.9
    /// Half of the mesh's longer edge, in pixels of the crop: the unit of shapes and offsets.
    private static let unit = Double(side) / margin / 2
    private static let components = 32
    private static let rank = 64
    private static let inputs = pointCount * (components + 3)

    /// The principal components of the histograms, a row each.
    private let basis: [Float]
    /// A matrix of low rank that makes offsets of the components and the shape.
    private let inner: [Float]
    private let outer: [Float]
    private let bias: [Float]

    /// - Throws: `WeightFileError`.
    init(_ text: String = FaceWeights.trained.refiner) throws {
        var weights = try CompiledWeights(base64: text, damage: FaceWeights.damage)
        basis = try weights.take([Self.components, FaceGradients.count])
        inner = try weights.take([Self.rank, Self.inputs])
        outer = try weights.take([2 * Self.pointCount, Self.rank])
        bias = try weights.take([2 * Self.pointCount])
        try weights.finish()
    }

    /// The refiner of this process, prepared when it is first wanted.
    ///
    /// - Throws: `WeightFileError`.
    static func shared() throws -> FaceLandmarkRefiner {
        try loaded.withLock { loaded in
            if let loaded { return loaded }
            let new = try FaceLandmarkRefiner()
            loaded = new
            return new
        }
    }

    /// What is measured around a mesh.
    static func crop(of mesh: FaceMesh) -> FaceCrop { mesh.crop(margin: margin, size: side) }

    /// The points in pixels of the image.
    ///
    /// - Parameters:
    ///   - points: the 68 points by the mesh.
    ///   - pixels: what `crop(of:)` shows.
    func points(_ points: [SIMD2<Double>], of mesh: FaceMesh, pixels: Raster) -> [SIMD2<Double>] {
        let crop = Self.crop(of: mesh)
        func inside(_ point: SIMD2<Double>) -> SIMD2<Double> {
            (crop.point(ofImage: point) - Double(Self.side) / 2) / Self.unit
        }
        let start = points.map(inside)
        let depth = mesh.points.reduce(0) { $0 + $1.z } / Double(mesh.points.count)
        let shape = mesh.points.map { point in
            let place = inside(SIMD2(point.x, point.y))
            return SIMD3(place.x, place.y, (point.z - depth) / crop.scale / Self.unit)
        }
        let gradients = FaceGradients(pixels)
        let plain = offsets(start, shape, gradients, isMirrored: false)
        let mirrored = offsets(start, shape, gradients, isMirrored: true)
        return (0..<Self.pointCount).map { place in
            let moved = start[place] + (plain[place] + mirrored[FaceLandmarkWeights.mirror[place]]) / 2
            return moved.x.isFinite && moved.y.isFinite
                ? crop.imagePoint(moved * Self.unit + Double(Self.side) / 2) : points[place]
        }
    }

    /// The offset of each point of the face or of its mirror image, as it is in the face.
    private func offsets(
        _ start: [SIMD2<Double>], _ shape: [SIMD3<Double>], _ gradients: FaceGradients, isMirrored: Bool
    ) -> [SIMD2<Double>] {
        var row: [Float] = []
        row.reserveCapacity(Self.inputs)
        for place in 0..<Self.pointCount {
            // What is at a point's place in the mirror image is what is around its partner.
            let point =
                start[isMirrored ? FaceLandmarkWeights.mirror[place] : place] * Self.unit + Double(Self.side) / 2
            row += Self.product(basis, gradients.histograms(around: point, isMirrored: isMirrored))
        }
        for point in FaceLandmarkWeights.nearest {
            let value = shape[isMirrored ? FaceMeshMirror.partner[point] : point]
            row += [Float(isMirrored ? -value.x : value.x), Float(value.y), Float(value.z)]
        }
        let made = Self.product(outer, Self.product(inner, row))
        return (0..<Self.pointCount).map { place in
            let x = Double(made[2 * place] + bias[2 * place])
            return SIMD2(isMirrored ? -x : x, Double(made[2 * place + 1] + bias[2 * place + 1]))
        }
    }

    /// A matrix, row by row, times a vector.
    private static func product(_ matrix: [Float], _ vector: [Float]) -> [Float] {
        let lanes = vector.count / 4 * 4
        return matrix.withUnsafeBufferPointer { matrix in
            vector.withUnsafeBufferPointer { vector in
                (0..<matrix.count / vector.count).map { row in
                    let start = row * vector.count
                    var sums = SIMD4<Float>.zero
                    for index in stride(from: 0, to: lanes, by: 4) {
                        let a = SIMD4(
                            matrix[start + index], matrix[start + index + 1], matrix[start + index + 2],
                            matrix[start + index + 3])
                        let b = SIMD4(vector[index], vector[index + 1], vector[index + 2], vector[index + 3])
                        sums += a * b
                    }
                    return (lanes..<vector.count).reduce(sums.sum()) { $0 + matrix[start + $1] * vector[$1] }
                }
            }
        }
    }
}
