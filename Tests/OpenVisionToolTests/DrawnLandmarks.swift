import Foundation
import Vision
import VisionExtras
import XCTest

/// Faces that no network has found.
enum DrawnLandmarks {
    /// A face with its 76 landmarks on a circle, as JSON that observations are read from.
    static func face(box: CGRect) throws -> VNFaceObservation {
        let points = (0..<76).flatMap { index -> [Double] in
            let angle = 2 * Double.pi * Double(index) / 76
            return [0.5 + 0.3 * cos(angle), 0.5 + 0.3 * sin(angle)]
        }
        let numbers = [box.minX, box.minY, box.width, box.height].map(Double.init)
        let values: [String: Any] = [
            "type": "VNFaceObservation", "uuid": UUID().uuidString, "confidence": 0.93, "requestRevision": 3,
            "boundingBox": numbers, "roll": 0.5, "yaw": -0.25, "pitch": 0.125, "landmarks.pointCount": 76,
            "landmarks.points": points, "landmarks.faceBox": numbers, "landmarks.confidence": 0.75,
            "landmarks.requestRevision": 3,
        ]
        let data = try JSONSerialization.data(withJSONObject: values)
        let read = try JSONDecoder().decode(CodableObservation.self, from: data).observation
        return try XCTUnwrap(read as? VNFaceObservation)
    }
}
