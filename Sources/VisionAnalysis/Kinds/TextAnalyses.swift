import Foundation
import Vision
import VisionRecords

/// Text lines, read, with their words.
struct TextAnalysis: NamedAnalysis {
    private enum Level: String, CaseIterable, Sendable {
        case accurate, fast
    }

    private let level: Level
    private let languages: [String]
    private let customWords: [String]

    init(_ options: inout AnalysisOptions) throws {
        level = try options.word("level", default: Level.accurate)
        let known = try Self.request(level).supportedRecognitionLanguages()
        languages = try options.texts("languages", among: known)
        customWords = try options.texts("customWords")
        if let unknown = languages.first(where: { !known.contains($0) }) {
            throw AnalysisError(
                "text cannot read the language \"\(unknown.prefix(40))\"; there are \(known.joined(separator: ", ")).")
        }
    }

    private static func request(_ level: Level) -> VNRecognizeTextRequest {
        let request = VNRecognizeTextRequest()
        request.revision = VNRecognizeTextRequestRevision3
        request.recognitionLevel = level == .accurate ? .accurate : .fast
        return request
    }

    func makeRequests() -> [VNRequest] {
        let request = Self.request(level)
        request.automaticallyDetectsLanguage = languages.isEmpty
        if !languages.isEmpty { request.recognitionLanguages = languages }
        request.customWords = customWords
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [TextLineResult] {
        let lines = (requests.first?.results ?? []).compactMap { $0 as? VNRecognizedTextObservation }
        return try lines.compactMap { line in
            guard let text = line.topCandidates(1).first else { return nil }
            let words = try text.string.split(separator: " ").compactMap { word -> TextLineResult.Word? in
                try text.boundingBox(for: word.startIndex..<word.endIndex).map {
                    TextLineResult.Word(text: String(word), corners: image.coordinates.corners($0))
                }
            }
            return TextLineResult(
                text: text.string, confidence: text.confidence.record, corners: image.coordinates.corners(line),
                words: words,
                characters: nil)
        }
    }
}

/// Barcodes, read.
struct BarcodeAnalysis: NamedAnalysis {
    private let symbologies: [VNBarcodeSymbology]

    init(_ options: inout AnalysisOptions) throws {
        let known = try Self.request().supportedSymbologies()
        let names = try options.texts("symbologies", among: known.map(\.recordName).sorted())
        symbologies = try names.map { name in
            guard let found = known.first(where: { $0.recordName.lowercased() == name.lowercased() }) else {
                throw AnalysisError(
                    "There is no symbology \"\(name.prefix(40))\"; there are "
                        + known.map(\.recordName).sorted().joined(separator: ", ") + ".")
            }
            return found
        }
    }

    private static func request() -> VNDetectBarcodesRequest {
        let request = VNDetectBarcodesRequest()
        request.revision = VNDetectBarcodesRequest.currentRevision
        return request
    }

    func makeRequests() -> [VNRequest] {
        let request = Self.request()
        if !symbologies.isEmpty { request.symbologies = symbologies }
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [BarcodeResult] {
        (requests.first?.results ?? []).compactMap { $0 as? VNBarcodeObservation }.map { code in
            BarcodeResult(
                symbology: code.symbology.recordName, payload: code.payloadStringValue,
                supplement: code.supplementalPayloadString,
                base64: code.payloadStringValue == nil ? code.payloadData?.base64EncodedString() : nil,
                confidence: code.confidence.record, box: image.coordinates.box(code.boundingBox),
                corners: image.coordinates.corners(code),
                isInverted: code.isColorInverted, isGS1: code.isGS1DataCarrier)
        }
    }
}

extension VNBarcodeSymbology {
    private static let prefix = "VNBarcodeSymbology"

    /// The name in records: the raw value without the common prefix, starting with lowercase letters.
    package var recordName: String {
        let name = rawValue.hasPrefix(Self.prefix) ? rawValue.dropFirst(Self.prefix.count) : rawValue[...]
        let capitals = name.prefix { $0.isUppercase }
        // EAN13 becomes ean13 and DataMatrix dataMatrix.
        let count =
            capitals.count == name.count || name.dropFirst(capitals.count).first?.isNumber == true
            ? capitals.count : max(1, capitals.count - 1)
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }
}
