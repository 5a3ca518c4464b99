public import Foundation
import Vision
public import VisionImage

/// A kind of detector: faces.
public let CIDetectorTypeFace: String = "CIDetectorTypeFace"
/// A kind of detector: rectangles in perspective.
public let CIDetectorTypeRectangle: String = "CIDetectorTypeRectangle"
/// A kind of detector: QR codes.
public let CIDetectorTypeQRCode: String = "CIDetectorTypeQRCode"
/// A kind of detector: lines of text.
public let CIDetectorTypeText: String = "CIDetectorTypeText"

/// Option: low or high accuracy. Accepted; has no effect.
public let CIDetectorAccuracy: String = "CIDetectorAccuracy"
/// Low accuracy.
public let CIDetectorAccuracyLow: String = "CIDetectorAccuracyLow"
/// High accuracy.
public let CIDetectorAccuracyHigh: String = "CIDetectorAccuracyHigh"
/// Option: faces are followed from image to image. Accepted; has no effect.
public let CIDetectorTracking: String = "CIDetectorTracking"
/// Option: the least size as a share of the image's shorter side. It has an effect on faces and rectangles.
public let CIDetectorMinFeatureSize: String = "CIDetectorMinFeatureSize"
/// Option: the most features, 1 to 256; one rectangle and all others by default.
public let CIDetectorMaxFeatureCount: String = "CIDetectorMaxFeatureCount"
/// Option: the EXIF orientation of the image, 1…8.
public let CIDetectorImageOrientation: String = "CIDetectorImageOrientation"
/// Option: the ratio of a rectangle's sides, width by height; others than that within a fifth are left out.
public let CIDetectorAspectRatio: String = "CIDetectorAspectRatio"
/// Option: whether characters of text are found.
public let CIDetectorReturnSubFeatures: String = "CIDetectorReturnSubFeatures"
/// Option: closed eyes. Accepted; they are not recognised.
public let CIDetectorEyeBlink: String = "CIDetectorEyeBlink"
/// Option: smiles. Accepted; they are not recognised.
public let CIDetectorSmile: String = "CIDetectorSmile"

/// Finds faces, rectangles, QR codes or text by the requests of Vision. May be used by several threads.
public final class CIDetector: NSObject, @unchecked Sendable {
    // Unchecked because of the options, which are constant.

    private let type: String
    private let options: [String: Any]

    /// Creates a detector; nil for an unknown type.
    ///
    /// - Parameters:
    ///   - type: One of the `CIDetectorType…` constants.
    ///   - context: Has no effect.
    ///   - options: The `CIDetector…` keys.
    public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {
        let known = [CIDetectorTypeFace, CIDetectorTypeRectangle, CIDetectorTypeQRCode, CIDetectorTypeText]
        guard known.contains(type) else { return nil }
        self.type = type
        self.options = options ?? [:]
        super.init()
    }

    /// Returns the features of an image; none if it cannot be read, or a network is not installed.
    public func features(in image: CIImage) -> [CIFeature] { features(in: image, options: nil) }

    /// Returns the features of an image; none if it cannot be read, or a network is not installed.
    ///
    /// - Parameter options: The `CIDetector…` keys; they take precedence over those of the detector.
    public func features(in image: CIImage, options: [String: Any]?) -> [CIFeature] {
        let options = self.options.merging(options ?? [:]) { _, new in new }
        let number = options[CIDetectorImageOrientation].flatMap(FilterValues.double).flatMap(UInt32.init(exactly:))
        let orientation = number.flatMap(CGImagePropertyOrientation.init(rawValue:)) ?? .up
        let handler = VNImageRequestHandler(ciImage: image, orientation: orientation)
        let plane = DetectorPlane(image.extent.integral, orientation)
        let found = (try? features(handler, plane, options)) ?? []
        let most = options[CIDetectorMaxFeatureCount].flatMap(FilterValues.double)
        return most.map { Array(found.prefix(Int(min(max($0, 1), 256)))) } ?? found
    }

    private func features(
        _ handler: VNImageRequestHandler, _ plane: DetectorPlane, _ options: [String: Any]
    ) throws -> [CIFeature] {
        let least = options[CIDetectorMinFeatureSize].flatMap(FilterValues.double).map { min(max($0, 0), 1) }
        switch type {
        case CIDetectorTypeFace: return try faces(handler, plane, least ?? 0)
        case CIDetectorTypeRectangle:
            let request = VNDetectRectanglesRequest()
            request.maximumObservations =
                options[CIDetectorMaxFeatureCount].flatMap(FilterValues.double).map { Int(min(max($0, 1), 256)) } ?? 1
            if let least { request.minimumSize = Float(least) }
            if let ratio = options[CIDetectorAspectRatio].flatMap(FilterValues.double), ratio > 0 {
                // The request's ratio is that of the shorter side to the longer one.
                let wanted = Float(min(ratio, 1 / ratio))
                request.minimumAspectRatio = wanted / 1.2
                request.maximumAspectRatio = min(1, wanted * 1.2)
            }
            try handler.perform([request])
            return (request.results ?? []).map { CIRectangleFeature(plane.quad($0)) }
        case CIDetectorTypeQRCode:
            let request = VNDetectBarcodesRequest()
            request.symbologies = [.qr]
            try handler.perform([request])
            return (request.results ?? []).map {
                CIQRCodeFeature(
                    plane.quad($0), message: $0.payloadStringValue,
                    descriptor: $0.barcodeDescriptor as? CIQRCodeDescriptor)
            }
        default:
            let request = VNDetectTextRectanglesRequest()
            request.reportCharacterBoxes = options[CIDetectorReturnSubFeatures] as? Bool ?? false
            try handler.perform([request])
            return (request.results ?? []).map { line in
                CITextFeature(
                    plane.quad(line),
                    characters: line.characterBoxes?.map { CITextFeature(plane.quad($0), characters: nil) })
            }
        }
    }

    /// - Parameter least: The least side of a face as a share of the image's shorter side.
    private func faces(
        _ handler: VNImageRequestHandler, _ plane: DetectorPlane, _ least: Double
    ) throws -> [CIFeature] {
        let request = VNDetectFaceLandmarksRequest()
        try handler.perform([request])
        return (request.results ?? []).compactMap { face -> CIFaceFeature? in
            let bounds = plane.rect(face.boundingBox)
            guard Double(max(bounds.width, bounds.height)) >= least * plane.shorterSide else { return nil }
            func middle(_ region: VNFaceLandmarkRegion2D?) -> CGPoint? {
                guard let points = region?.normalizedPoints, !points.isEmpty else { return nil }
                let sum = points.reduce(CGPoint.zero) { CGPoint(x: $0.x + $1.x, y: $0.y + $1.y) }
                let (x, y) = (sum.x / CGFloat(points.count), sum.y / CGFloat(points.count))
                let box = face.boundingBox
                return plane.point(CGPoint(x: box.minX + x * box.width, y: box.minY + y * box.height))
            }
            return CIFaceFeature(
                bounds: bounds, leftEye: middle(face.landmarks?.leftEye), rightEye: middle(face.landmarks?.rightEye),
                mouth: middle(face.landmarks?.outerLips), roll: face.roll?.doubleValue)
        }
    }
}

/// The coordinates of an image whose upright form a request has processed.
private struct DetectorPlane {
    private let extent: CGRect
    private let orientation: CGImagePropertyOrientation

    init(_ extent: CGRect, _ orientation: CGImagePropertyOrientation) {
        (self.extent, self.orientation) = (extent, orientation)
    }

    var shorterSide: Double { Double(min(extent.width, extent.height)) }

    /// A point of the image for one that is normalised to the upright image, y up.
    func point(_ point: CGPoint) -> CGPoint {
        let (x, y) = (point.x, point.y)
        let stored: CGPoint =
            switch orientation {
            case .up: CGPoint(x: x, y: y)
            case .upMirrored: CGPoint(x: 1 - x, y: y)
            case .down: CGPoint(x: 1 - x, y: 1 - y)
            case .downMirrored: CGPoint(x: x, y: 1 - y)
            case .leftMirrored: CGPoint(x: 1 - y, y: 1 - x)
            case .right: CGPoint(x: 1 - y, y: x)
            case .rightMirrored: CGPoint(x: y, y: x)
            case .left: CGPoint(x: y, y: 1 - x)
            }
        return CGPoint(x: extent.minX + stored.x * extent.width, y: extent.minY + stored.y * extent.height)
    }

    func rect(_ rect: CGRect) -> CGRect {
        let (a, b) = (point(CGPoint(x: rect.minX, y: rect.minY)), point(CGPoint(x: rect.maxX, y: rect.maxY)))
        return CGRect(
            x: min(a.x, b.x), y: min(a.y, b.y), width: (a.x - b.x).magnitude, height: (a.y - b.y).magnitude)
    }

    func quad(_ found: VNRectangleObservation) -> DetectedQuad {
        DetectedQuad(
            topLeft: point(found.topLeft), topRight: point(found.topRight), bottomLeft: point(found.bottomLeft),
            bottomRight: point(found.bottomRight), bounds: rect(found.boundingBox))
    }
}
