// Ranks drawings by their similarity to an original, as written for Apple's framework.
import Foundation
import Vision

final class SimilarityGame {
    struct Contestant {
        let image: URL
        let distance: Float
    }

    private(set) var ranking: [Contestant] = []

    func processImages(original: URL, contestants: [URL]) {
        guard let originalFPO = featureprintObservationForImage(atURL: original) else { return }
        ranking = []
        for url in contestants {
            if let contestantFPO = featureprintObservationForImage(atURL: url) {
                do {
                    var distance = Float(0)
                    try contestantFPO.computeDistance(&distance, to: originalFPO)
                    ranking.append(Contestant(image: url, distance: distance))
                } catch {
                    print("Error computing distance between featureprints.")
                }
            }
        }
        ranking.sort { $0.distance < $1.distance }
    }

    func featureprintObservationForImage(atURL url: URL) -> VNFeaturePrintObservation? {
        let requestHandler = VNImageRequestHandler(url: url, options: [:])
        let request = VNGenerateImageFeaturePrintRequest()
        do {
            try requestHandler.perform([request])
            return request.results?.first as? VNFeaturePrintObservation
        } catch {
            print("Vision error: \(error)")
            return nil
        }
    }
}
