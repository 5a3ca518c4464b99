package import Foundation
import Vision
import VisionImage
package import VisionModels

/// A face of a photo, with what tells people apart.
package struct PhotoFace: Sendable {
    package let path: FilePath
    /// In pixels of the upright photo, y down.
    package let box: CGRect
    package let confidence: Float
    /// nil where the landmarks were not found.
    package let quality: Float?
    /// Near those of other faces of the same person.
    package let print: PrintVector

    package init(path: FilePath, box: CGRect, confidence: Float, quality: Float?, print: PrintVector) {
        (self.path, self.box, self.confidence) = (path, box, confidence)
        (self.quality, self.print) = (quality, print)
    }
}

/// Finds the faces of photos and computes their prints.
package struct FacePrinter: Sendable {
    private let finder: FaceFinder
    private let network: FacePrintNetwork
    private let minimumConfidence: Float

    /// - Parameter minimumConfidence: Of faces that are used.
    /// - Throws: `RequestFailure`, `ModelStoreError` where the network is not installed.
    package init(revision: Int?, minimumConfidence: Float) throws {
        network = try FacePrintNetwork.shared()
        finder = try FaceFinder(revision: revision, wantsLandmarks: true, wantsQuality: true)
        self.minimumConfidence = minimumConfidence
    }

    /// Returns the faces of a photo, those without landmarks left out.
    ///
    /// - Throws: The error of the requests, or of reading a file that is not an image.
    package func faces(of path: FilePath) throws -> [PhotoFace] {
        let (found, photo) = try finder.facesAndPhoto(of: path)
        let (width, height) = (Double(found.width), Double(found.height))
        let region = PixelRegion(width: found.width, height: found.height)
        return try found.faces.compactMap { face in
            guard face.confidence >= minimumConfidence,
                let anchors = face.landmarks?.chipAnchors(width: width, height: height),
                let patch = FaceChip.patch(of: anchors),
                let closeUp = try CloseUp(around: patch, in: region, pixels: { try photo.derivative($0) })
            else { return nil }
            let box = face.boundingBox
            return PhotoFace(
                path: path,
                box: CGRect(
                    x: box.minX * width, y: (1 - box.maxY) * height, width: box.width * width,
                    height: box.height * height),
                confidence: face.confidence, quality: face.faceCaptureQuality,
                print: try PrintVector(
                    revision: 1, elements: try network.print(of: try closeUp.pixels(of: patch), threads: nil)))
        }
    }
}

extension VNFaceLandmarks2D {
    /// The points that `FaceChip` fits, of an image of a size; nil where a part is missing.
    fileprivate func chipAnchors(width: Double, height: Double) -> FaceChip.Anchors? {
        let size = CGSize(width: width, height: height)
        func points(_ region: VNFaceLandmarkRegion2D?) -> [SIMD2<Double>] {
            (region?.pointsInImage(imageSize: size) ?? []).map { SIMD2($0.x, height - $0.y) }
        }
        func mean(_ points: [SIMD2<Double>]) -> SIMD2<Double>? {
            points.isEmpty ? nil : points.reduce(.zero, +) / Double(points.count)
        }
        let lips = points(outerLips)
        guard let rightEye = mean(points(rightEye)), let leftEye = mean(points(leftEye)),
            let nose = mean(points(nose)), !lips.isEmpty
        else { return nil }
        // The corners are the points furthest along the line of the eyes.
        let across = leftEye - rightEye
        let sorted = lips.sorted { ($0 * across).sum() < ($1 * across).sum() }
        return FaceChip.Anchors(
            rightEye: rightEye, leftEye: leftEye, nose: nose, rightMouthCorner: sorted[0],
            leftMouthCorner: sorted[sorted.count - 1])
    }
}
