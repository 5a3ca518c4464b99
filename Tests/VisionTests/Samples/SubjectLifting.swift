// Cuts the subject at a point out of a photo, as written for Apple's framework.
import Foundation
import Vision

enum SubjectLifting {
    static func subject(of image: CIImage, at point: CGPoint?) throws -> CVPixelBuffer? {
        let request = VNGenerateForegroundInstanceMaskRequest()
        let handler = VNImageRequestHandler(ciImage: image)
        try handler.perform([request])
        guard let result = request.results?.first else { return nil }
        return try result.generateMaskedImage(
            ofInstances: instances(at: point, in: result), from: handler, croppedToInstancesExtent: true)
    }

    private static func instances(at point: CGPoint?, in observation: VNInstanceMaskObservation) -> IndexSet {
        guard let point else { return observation.allInstances }
        let instanceMap = observation.instanceMask
        let coordinates = VNImagePointForNormalizedPoint(
            point, CVPixelBufferGetWidth(instanceMap) - 1, CVPixelBufferGetHeight(instanceMap) - 1)
        CVPixelBufferLockBaseAddress(instanceMap, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(instanceMap, .readOnly) }
        guard let pixels = CVPixelBufferGetBaseAddress(instanceMap) else { return observation.allInstances }
        let bytesPerRow = CVPixelBufferGetBytesPerRow(instanceMap)
        let instanceLabel = pixels.load(
            fromByteOffset: Int(coordinates.y) * bytesPerRow + Int(coordinates.x), as: UInt8.self)
        return instanceLabel == 0 ? observation.allInstances : [Int(instanceLabel)]
    }
}
