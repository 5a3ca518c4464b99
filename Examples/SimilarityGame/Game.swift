import Foundation
import Vision

/// A game for a party: everybody takes a photo, or makes a drawing, that imitates an original. The most similar one
/// wins.
///
/// Written as for Apple's Vision; the same file compiles there.
struct Game {
    struct Entry {
        let contestant: URL
        /// 0 for the original itself; the smaller, the more similar.
        let distance: Float
    }

    let original: URL
    let contestants: [URL]

    /// Returns the contestants, the winner first, without those whose photos cannot be read.
    func ranking() -> [Entry] {
        guard let originalPrint = featurePrint(forImageAt: original) else { return [] }
        var entries: [Entry] = []
        for contestant in contestants {
            guard let contestantPrint = featurePrint(forImageAt: contestant) else { continue }
            do {
                var distance = Float(0)
                try contestantPrint.computeDistance(&distance, to: originalPrint)
                entries.append(Entry(contestant: contestant, distance: distance))
            } catch {
                print("The distance of \(contestant.lastPathComponent) could not be computed: \(error)")
            }
        }
        return entries.sorted { $0.distance < $1.distance }
    }

    private func featurePrint(forImageAt url: URL) -> VNFeaturePrintObservation? {
        let requestHandler = VNImageRequestHandler(url: url, options: [:])
        let request = VNGenerateImageFeaturePrintRequest()
        do {
            try requestHandler.perform([request])
            return request.results?.first
        } catch {
            print("\(url.lastPathComponent) does not take part: \(error.localizedDescription)")
            return nil
        }
    }
}
