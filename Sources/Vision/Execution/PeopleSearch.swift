import VisionImage
import VisionModels

/// The people in a region of an image, by part of the body, those with low scores as well.
private struct PeopleKey: ImageResultKey {
    let region: PixelRegion

    static func byteCount(of people: [FoundPerson.Part: [FoundPerson]]) -> Int {
        people.values.reduce(0) { $0 + $1.count * MemoryLayout<FoundPerson>.stride }
    }
}

extension PerformContext {
    /// Returns the people in a region of the image whose boxes are likely right, the most confident first.
    ///
    /// - Throws: As `people(in:_:leastScore:)`.
    func confidentPeople(in region: PixelRegion, _ part: FoundPerson.Part) throws -> [FoundPerson] {
        try people(in: region, part, leastScore: 0).filter { $0.confidence >= PeopleConfidence.least }
            .stablySorted { $0.confidence > $1.confidence }
    }

    /// Returns the people in a region of the image, the highest score first. Requests share the run of the network.
    ///
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func people(
        in region: PixelRegion, _ part: FoundPerson.Part, leastScore: Float
    ) throws -> [FoundPerson] {
        let people = try image.results.result(for: PeopleKey(region: region)) {
            let detector = try PeopleDetector.shared()
            let pixels = try image.derivative(detector.input(region: region))
            networkRuns.count()
            return try detector.people(in: pixels, of: region, threads: Settings.threadCount)
        }
        try cancellation.check()
        return (people[part] ?? []).filter { $0.score >= leastScore }
    }
}
