import Foundation
import Vision

/// Reads phone numbers from live video: one fast request a frame, whose findings count only once several frames agree.
///
/// Written as for Apple's Vision; the same file compiles there.
final class PhoneReader {
    /// A number is reported when this many frames have shown it.
    static let neededFrames = 4
    /// Evidence that no frame has renewed for this long is dropped.
    private static let memory = 30

    private struct Evidence {
        var frames = 0
        var lastFrame = 0
    }

    private var evidence: [String: Evidence] = [:]
    private var frame = 0
    /// The part of the frame in which numbers are looked for, normalised, origin at the lower left.
    var regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)

    /// Reads a frame.
    ///
    /// - Returns: The number that this frame makes certain; nil if there is none.
    /// - Throws: The error of the perform.
    func read(_ buffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up) throws -> String? {
        let request = VNRecognizeTextRequest()
        request.recognitionLevel = .fast
        // Numbers are no words.
        request.usesLanguageCorrection = false
        request.regionOfInterest = regionOfInterest
        try VNImageRequestHandler(cvPixelBuffer: buffer, orientation: orientation, options: [:]).perform([request])
        var numbers: Set<String> = []
        for observation in request.results ?? [] {
            guard let candidate = observation.topCandidates(1).first else { continue }
            if let number = Self.phoneNumber(in: candidate.string) { numbers.insert(number) }
        }
        return add(numbers)
    }

    /// Counts the numbers of a frame.
    private func add(_ numbers: Set<String>) -> String? {
        frame += 1
        for number in numbers {
            evidence[number, default: Evidence()].frames += 1
            evidence[number]?.lastFrame = frame
        }
        evidence = evidence.filter { frame - $0.value.lastFrame < Self.memory }
        let best = evidence.max { ($0.value.frames, $1.key) < ($1.value.frames, $0.key) }
        guard let best, best.value.frames >= Self.neededFrames else { return nil }
        evidence = [:]
        return best.key
    }

    /// The ten digits of an American phone number in a text; nil where there is none. Letters that fast reading takes
    /// for digits, and digits that it takes for letters, are told apart by where they stand.
    static func phoneNumber(in text: String) -> String? {
        let alike: [Character: Character] = [
            "o": "0", "O": "0", "Q": "0", "D": "0", "l": "1", "I": "1", "i": "1", "|": "1", "Z": "2", "z": "2",
            "S": "5",
            "s": "5", "b": "6", "B": "8", "g": "9", "q": "9",
        ]
        // Words, which are tokens with few digits, end a number; everything else is one, with its separators left out.
        var runs = [""]
        for token in text.split(separator: " ") {
            let letters = token.filter { $0.isLetter || $0 == "|" }.count
            let digits = token.filter { $0.isASCII && $0.isNumber }.count
            let isKnown = token.allSatisfy { !$0.isLetter || alike[$0] != nil }
            guard digits > letters, isKnown else {
                runs.append("")
                continue
            }
            runs[runs.count - 1] += token.compactMap { $0.isASCII && $0.isNumber ? $0 : alike[$0] }
        }
        for run in runs {
            var digits = run
            if digits.count == 11, digits.hasPrefix("1") { digits.removeFirst() }
            // Neither the area code nor the exchange begins with 0 or 1.
            let characters = Array(digits)
            guard characters.count == 10, !"01".contains(characters[0]), !"01".contains(characters[3]) else { continue }
            return digits
        }
        return nil
    }
}
