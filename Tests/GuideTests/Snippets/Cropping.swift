import Foundation
import Vision
import VisionExtras

/// The snippet of the guide about saliency: the crop to keep, in pixels from the lower left.
func crop(_ photo: URL, size: CGSize, aspectRatio: Double) async throws -> CGRect {
    // snippet: crop
    let saliency = VNGenerateAttentionBasedSaliencyImageRequest()
    let faces = VNDetectFaceRectanglesRequest()
    try await VNImageRequestHandler(url: photo).performAsync([saliency, faces])  // the photo is decoded once

    let choice = SmartCrop(saliency: saliency.results ?? [], faces: faces.results ?? [])
    let box = choice.box(aspectRatio: aspectRatio, imageSize: size)
    // end
    return box
}

/// The boxes of what stands out.
func salientObjects(in photo: URL) async throws -> [NormalizedRect] {
    // snippet: objects
    let result = try await GenerateObjectnessBasedSaliencyImageRequest().perform(on: photo)
    let boxes = result.salientObjects.map(\.boundingBox)
    // end
    return boxes
}
