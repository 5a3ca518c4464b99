// The flow of the 2019 session that sorts photos by their contents, as written for Apple's framework.

import Foundation
import Vision

/// The classes of one photo: with high recall for a search, and with high precision for a caption.
struct PhotoTags {
    var searchTerms: [String: VNConfidence] = [:]
    var captions: [String: VNConfidence] = [:]

    init(url: URL) throws {
        let handler = VNImageRequestHandler(url: url, options: [:])
        let request = VNClassifyImageRequest()
        try handler.perform([request])
        guard let observations = request.results as? [VNClassificationObservation] else { return }

        searchTerms =
            observations
            .filter { $0.hasMinimumPrecision(0.1, forRecall: 0.8) }
            .reduce(into: [String: VNConfidence]()) { terms, observation in
                terms[observation.identifier] = observation.confidence
            }
        captions =
            observations
            .filter { $0.hasMinimumRecall(0.01, forPrecision: 0.9) }
            .reduce(into: [String: VNConfidence]()) { terms, observation in
                terms[observation.identifier] = observation.confidence
            }
    }
}

/// The photos in which something can be seen, best first.
func photos(of identifier: String, atLeast confidence: VNConfidence, in photos: [URL]) -> [URL] {
    var found: [(url: URL, confidence: VNConfidence)] = []
    for url in photos {
        let request = VNClassifyImageRequest { request, error in
            if let error = error {
                print("\(url.lastPathComponent) cannot be classified: \(error.localizedDescription)")
                return
            }
            guard let results = request.results as? [VNClassificationObservation] else { return }
            for observation in results where observation.identifier == identifier {
                if observation.confidence >= confidence { found.append((url, observation.confidence)) }
            }
        }
        try? VNImageRequestHandler(url: url).perform([request])
    }
    return found.sorted { $0.confidence > $1.confidence }.map { $0.url }
}

/// The words that a search field can complete.
func searchableWords() -> [String] {
    guard let known = try? VNClassifyImageRequest.knownClassifications(forRevision: VNClassifyImageRequestRevision1)
    else { return [] }
    return known.map { $0.identifier }
}
