import Foundation
import Vision

/// The snippet about thresholds: the classes of a photo that are sure enough for an application.
func sureClasses(of photo: URL) async throws -> [String] {
    // snippet: precision
    let classes = try await ClassifyImageRequest().perform(on: photo)

    // A class has a threshold of its own. Ask for the precision, not for a confidence.
    let sure = classes.filter { $0.hasMinimumPrecision(0.9, forRecall: 0.3) }
    // end
    return sure.map(\.identifier)
}

/// The snippet about revisions: results that stay the same when the package is updated.
func pinnedRequest() -> VNClassifyImageRequest {
    // snippet: revision
    let request = VNClassifyImageRequest()
    request.revision = VNClassifyImageRequestRevision1
    // end
    return request
}
