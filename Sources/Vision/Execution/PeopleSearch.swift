import VisionImage
import VisionModels

/// The people in a region of an image, by part of the body, with scores that poses need at least.
private struct PeopleKey: ImageResultKey {
    let region: PixelRegion

    static func byteCount(of people: [FoundPerson.Part: [FoundPerson]]) -> Int {
        people.values.reduce(0) { $0 + $1.count * MemoryLayout<FoundPerson>.stride }
    }
}

extension PerformContext {
    /// Returns the people in a region of the image, the highest score first. Requests share the run of the network.
    ///
    /// - Parameter leastScore: The lowest score of a person, not below the least that masks and poses ask for.
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func people(
        in region: PixelRegion, _ part: FoundPerson.Part, leastScore: Float = PeopleDetector.leastScore
    ) throws -> [FoundPerson] {
        let lowest = min(PersonSegmenter.leastScore, PoseFinder.leastPersonScore)
        precondition(leastScore >= lowest)
        let people = try image.results.result(for: PeopleKey(region: region)) {
            let detector = try PeopleDetector.shared()
            let pixels = try image.derivative(detector.input(region: region))
            networkRuns.count()
            // Boxes with lower scores do not change which of those with higher ones remain.
            return try detector.people(in: pixels, of: region, leastScore: lowest, threads: Settings.threadCount)
        }
        try cancellation.check()
        return (people[part] ?? []).filter { $0.score >= leastScore }
    }
}
