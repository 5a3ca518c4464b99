import Foundation
import VisionImage

/// Refines the 68 points that are computed from the mesh by the image.
///
/// A cascade of linear stages, as in supervised descent (Xiong and De la Torre, 2013): each computes features around
/// the points of the previous stage, at finer scales. The result is the mean over the face and its mirror image, so
/// that mirrored faces have mirrored points. Training/Faces/train_landmarks.py fits the stages.
final class FaceLandmarkRefiner: Sendable {
    /// The side of the crop in pixels, and relative to the longer side of the mesh.
    private static let side = 160
    private static let margin = 1.9
    /// Half of the mesh's longer edge, in pixels of the crop: the unit of shapes and offsets.
    private static let unit = Double(side) / margin / 2
    private let stages: [FaceLandmarkStage]

    /// - Throws: `WeightFileError` for a table without the stages.
    init(_ table: BinaryTable) throws(WeightFileError) {
        stages = [
            try FaceLandmarkStage(table, index: 0, steps: [1.2, 2.2], usesPoints: false),
            try FaceLandmarkStage(table, index: 1, steps: [0.3, 0.7], usesPoints: true),
        ]
    }

    /// The refiner of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared() throws -> FaceLandmarkRefiner {
        try ModelRegistry.shared.network("face-landmarks", in: nil) {
            try FaceLandmarkRefiner(BinaryTable(builtIn: "face-landmarks.table"))
        }
    }

    /// Returns the crop around a mesh that the stages use.
    static func crop(of mesh: FaceMesh) -> ImagePatch { mesh.crop(margin: margin, size: side) }

    /// Returns the refined points, in pixels of the image.
    ///
    /// - Parameters:
    ///   - points: The 68 points of the mesh.
    ///   - pixels: The pixels of `crop(of:)`.
    func points(_ points: [SIMD2<Double>], of mesh: FaceMesh, pixels: Raster) -> [SIMD2<Double>] {
        let crop = Self.crop(of: mesh)
        func inside(_ point: SIMD2<Double>) -> SIMD2<Double> {
            (crop.point(ofImage: point) - Double(Self.side) / 2) / Self.unit
        }
        func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> { point * Self.unit + Double(Self.side) / 2 }
        let depth = mesh.points.reduce(0) { $0 + $1.z } / Double(mesh.points.count)
        let shape = mesh.points.map { point in
            let position = inside(SIMD2(point.x, point.y))
            return SIMD3(position.x, position.y, (point.z - depth) / crop.step / Self.unit)
        }
        let gradients = FaceGradients(pixels)
        let refined = stages.reduce(points.map(inside)) { current, stage in
            let offsets = stage.offsets(of: current, shape) { gradients.histograms(around: pixel($0), steps: $1) }
            return zip(current, offsets).map(+)
        }
        return zip(refined, points).map { refined, start in
            refined.x.isFinite && refined.y.isFinite ? crop.imagePoint(pixel(refined)) : start
        }
    }
}
