// Reads the text of a photograph and where it is, as written for Apple's Swift API.
import Vision

final class OCR {
    var observations = [RecognizedTextObservation]()
    var request = RecognizeTextRequest()

    func performOCR(imageData: Data) async throws {
        observations.removeAll()
        let results = try await request.perform(on: imageData)
        for observation in results {
            observations.append(observation)
        }
    }

    var transcript: [String] {
        observations.map { observation in
            observation.topCandidates(1).first?.string ?? "No text recognized"
        }
    }
}

struct Box {
    private let normalizedRect: NormalizedRect

    init(observation: any BoundingBoxProviding) {
        normalizedRect = observation.boundingBox
    }

    func rect(in size: CGSize) -> CGRect { normalizedRect.toImageCoordinates(size, origin: .upperLeft) }
}
