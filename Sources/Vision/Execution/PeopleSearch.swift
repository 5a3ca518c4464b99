import VisionImage
import VisionModels

/// The people in a region of an image.
private struct PeopleKey: ImageResultKey {
    let region: PixelRegion
    let part: FoundPerson.Part

    static func byteCount(of people: [FoundPerson]) -> Int { people.count * MemoryLayout<FoundPerson>.stride }
}

extension PerformContext {
    /// Returns the people in a region of the image, the highest score first. Requests share them.
    ///
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func people(in region: PixelRegion, _ part: FoundPerson.Part) throws -> [FoundPerson] {
        let people = try image.results.result(for: PeopleKey(region: region, part: part)) {
            let detector = try PeopleDetector.shared()
            let pixels = try image.derivative(detector.input(region: region))
            networkRuns.count()
            return try detector.people(in: pixels, of: region, part: part, threads: Settings.threadCount)
        }
        try cancellation.check()
        return people
    }
}
