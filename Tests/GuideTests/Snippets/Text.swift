import Foundation
import Vision

/// The snippet of the guide about text; returns what it prints.
func readText(in photo: URL) async throws -> [String] {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    // snippet: text
    var request = RecognizeTextRequest()
    request.recognitionLevel = .accurate  // .fast takes about a third of the time
    request.recognitionLanguages = [Locale.Language(identifier: "en-US")]

    for line in try await request.perform(on: photo) {
        guard let best = line.topCandidates(1).first else { continue }
        print(best.string)
    }
    // end
    return lines
}

/// Where a word is, in pixels from the top left.
func locate(_ word: String, in photo: URL, imageSize: CGSize) async throws -> CGRect? {
    // snippet: word
    for line in try await RecognizeTextRequest().perform(on: photo) {
        guard let text = line.topCandidates(1).first, let range = text.string.range(of: word),
            let box = text.boundingBox(for: range)
        else { continue }
        return box.boundingBox.toImageCoordinates(imageSize, origin: .upperLeft)
    }
    // end
    return nil
}
