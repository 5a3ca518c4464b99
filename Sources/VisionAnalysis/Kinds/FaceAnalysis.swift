import Foundation
package import Vision
package import VisionRecords

/// Faces, with their landmarks and capture quality on request.
struct FaceAnalysis: NamedAnalysis {
    private let wantsLandmarks: Bool
    private let wantsQuality: Bool
    private let least: Float

    init(_ options: inout AnalysisOptions) throws {
        wantsLandmarks = try options.flag("landmarks")
        wantsQuality = try options.flag("quality")
        least = try options.share("minConfidence", default: 0)
    }

    func makeRequests() -> [VNRequest] {
        let request = VNDetectFaceRectanglesRequest()
        request.revision = VNDetectFaceRectanglesRequest.currentRevision
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [FaceResult] {
        var faces = (requests.first?.results ?? []).compactMap { $0 as? VNFaceObservation }
            .filter { $0.confidence >= least }
        if wantsQuality, !faces.isEmpty {
            let request = VNDetectFaceCaptureQualityRequest()
            request.inputFaceObservations = faces
            try image.perform(request)
            faces = request.results ?? faces
        }
        if wantsLandmarks, !faces.isEmpty {
            let request = VNDetectFaceLandmarksRequest()
            request.revision = VNDetectFaceLandmarksRequestRevision3
            request.inputFaceObservations = faces
            try image.perform(request)
            faces = request.results ?? faces
        }
        return faces.map { FaceResult($0, in: image.coordinates) }
    }
}

extension FaceResult {
    package init(_ face: VNFaceObservation, in image: RecordCoordinates) {
        func degrees(_ angle: NSNumber?) -> Double? {
            angle.flatMap { ($0.doubleValue * 180 / .pi).rounded(decimals: 2) }
        }
        self.init(
            box: image.box(face.boundingBox), confidence: face.confidence.record, roll: degrees(face.roll),
            yaw: degrees(face.yaw), pitch: degrees(face.pitch), quality: face.faceCaptureQuality?.record,
            landmarks: face.landmarks.map {
                Landmarks($0, boxWidth: Double(face.boundingBox.width) * Double(image.width), in: image)
            })
    }
}

extension FaceResult.Landmarks {
    /// - Parameter boxWidth: The width of the face in pixels, which precisions are relative to.
    init(_ landmarks: VNFaceLandmarks2D, boxWidth: Double, in image: RecordCoordinates) {
        let regions: [(String, VNFaceLandmarkRegion2D?)] = [
            ("allPoints", landmarks.allPoints), ("faceContour", landmarks.faceContour),
            ("leftEye", landmarks.leftEye), ("rightEye", landmarks.rightEye),
            ("leftEyebrow", landmarks.leftEyebrow), ("rightEyebrow", landmarks.rightEyebrow),
            ("nose", landmarks.nose), ("noseCrest", landmarks.noseCrest), ("medianLine", landmarks.medianLine),
            ("outerLips", landmarks.outerLips), ("innerLips", landmarks.innerLips),
            ("leftPupil", landmarks.leftPupil), ("rightPupil", landmarks.rightPupil),
        ]
        let size = CGSize(width: image.width, height: image.height)
        self.init(
            confidence: landmarks.confidence.record,
            regions: Dictionary(
                uniqueKeysWithValues: regions.compactMap { name, region in
                    region.map { region in
                        let points = region.pointsInImage(imageSize: size).map {
                            PixelPoint(x: Double($0.x), y: Double(image.height) - Double($0.y))
                        }
                        return (name, points)
                    }
                }),
            precision: landmarks.allPoints?.precisionEstimatesPerPoint.map {
                $0.map { (Double($0) * boxWidth).rounded(decimals: 2) ?? 0 }
            })
    }
}
