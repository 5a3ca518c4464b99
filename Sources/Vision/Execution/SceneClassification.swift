import VisionImage
import VisionModels
import VisionThreads

/// Observations of the classes of the scene taxonomy.
struct SceneClassification: Sendable {
    let revision: Int

    private static let scorings = Locked<[Int: SceneScoring]>([:])

    /// Returns the conversion of logits to confidences, created once for each revision.
    private func scoring() throws -> SceneScoring {
        try Self.scorings.withLock { scorings in
            if let scoring = scorings[revision] { return scoring }
            guard let scoring = SceneScoring(revision: revision) else {
                throw visionError(.internalError, "Internal error: revision \(revision) has no scores.")
            }
            scorings[revision] = scoring
            return scoring
        }
    }

    /// Returns an observation of each class by descending confidence; equal ones in alphabetical order.
    func observations(of features: BackboneFeatures, timeRange: CMTimeRange) throws -> [VNClassificationObservation] {
        let confidences = try scoring().confidences(ofLogits: features.logits, parts: features.halves)
        let order = confidences.indices.sorted { (confidences[$1], $0) < (confidences[$0], $1) }
        return observations(order.map { ($0, confidences[$0]) }, timeRange: timeRange)
    }

    /// Returns an observation of each class in alphabetical order.
    func known() -> [VNClassificationObservation] {
        observations(SceneTaxonomy.shared.classes.indices.map { ($0, 0) }, timeRange: .zero)
    }

    private func observations(
        _ scores: [(index: Int, confidence: Float)], timeRange: CMTimeRange
    ) -> [VNClassificationObservation] {
        var uuids = UUIDSeries()
        let classes = SceneTaxonomy.shared.classes
        return scores.map { index, confidence in
            VNClassificationObservation(
                identifier: classes[index].identifier, confidence: confidence, uuid: uuids.next(),
                requestRevision: revision, timeRange: timeRange, isOfSceneTaxonomy: true)
        }
    }
}
