// The mask of the people in frames of a camera, at the size of the frame, as written for Apple's framework.
import Foundation
import Vision

final class PersonMatte {
    private let requestHandler = VNSequenceRequestHandler()
    private let segmentationRequest: VNGeneratePersonSegmentationRequest
    private(set) var maskImage: CIImage?

    init() {
        segmentationRequest = VNGeneratePersonSegmentationRequest()
        segmentationRequest.qualityLevel = .balanced
        segmentationRequest.outputPixelFormat = kCVPixelFormatType_OneComponent8
    }

    func processVideoFrame(_ framePixelBuffer: CVPixelBuffer) {
        try? requestHandler.perform([segmentationRequest], on: framePixelBuffer, orientation: .up)
        guard let maskPixelBuffer = segmentationRequest.results?.first?.pixelBuffer else { return }
        let originalImage = CIImage(cvPixelBuffer: framePixelBuffer)
        let mask = CIImage(cvPixelBuffer: maskPixelBuffer)
        let scaleX = originalImage.extent.width / mask.extent.width
        let scaleY = originalImage.extent.height / mask.extent.height
        maskImage = mask.transformed(by: CGAffineTransform(scaleX: scaleX, y: scaleY))
    }
}
