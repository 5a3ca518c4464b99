import Foundation
import Vision
import VisionExtras

/// The snippet of the guide about image search: the names of the photos, the most similar one first.
func rank(_ photos: [URL], byLikenessTo query: URL) async throws -> [String] {
    // snippet: search
    var index = FeaturePrintIndex<String>()
    for photo in photos {
        let handler = VNImageRequestHandler(url: photo)
        let request = VNGenerateImageFeaturePrintRequest()
        try await handler.performAsync([request])
        if let print = request.results?.first {
            try index.insert(FeaturePrint(print), for: photo.lastPathComponent)
        }
    }

    let request = VNGenerateImageFeaturePrintRequest()
    try await VNImageRequestHandler(url: query).performAsync([request])
    guard let print = request.results?.first else { return [] }
    let matches = try index.nearest(20, to: FeaturePrint(print))  // distances in 0…2, nearest first
    // end
    return matches.map(\.key)
}
