@testable import Vision

/// Returns the values of observations without their identities, which are new in every perform.
func values(_ observations: [VNObservation]) -> [ObservationArchive] {
    observations.map { observation in
        ObservationArchive(values: observation.archived.values.filter { !$0.key.lowercased().contains("uuid") })
    }
}
