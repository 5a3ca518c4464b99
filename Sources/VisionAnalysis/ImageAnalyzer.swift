package import CoreML
import Foundation
package import Vision

extension AnalysisPlan {
    /// Analyses the bytes of an image file. What fails is part of the report.
    ///
    /// All requests share the decoded image and the networks' results.
    package func report(of data: Data, id: JSONValue = .null, path: String? = nil) -> AnalysisReport {
        report(on: VNImageRequestHandler(data: data), id: id, path: path)
    }

    /// Analyses the image of a handler.
    package func report(
        on handler: VNImageRequestHandler, id: JSONValue = .null, path: String? = nil
    ) -> AnalysisReport {
        var report = AnalysisReport(id: id, path: path)
        let size: (width: Int, height: Int)
        do {
            size = try handler.uprightImageSize()
        } catch {
            report.error = error.localizedDescription
            return report
        }
        (report.image.width, report.image.height) = size
        let image = AnalysedImage(
            handler: handler, coordinates: RecordCoordinates(width: size.width, height: size.height))
        do {
            let requests = try parts.map { try $0.analysis.makeRequests() }
            var outcomes = handler.outcomes(of: requests.flatMap { $0 }).makeIterator()
            for (part, requests) in zip(parts, requests) {
                let failure = requests.compactMap { _ in outcomes.next()?.failure }.first
                do {
                    if let failure { throw failure }
                    report.results[part.kind.rawValue] = try Self.results(of: part.analysis, requests, image)
                } catch {
                    report.errors[part.kind.rawValue] = error.localizedDescription
                }
            }
        } catch {
            report.error = error.localizedDescription
        }
        // An image that cannot be decoded is one error, not one for each request.
        let reasons = Set(report.errors.values)
        if let reason = reasons.first, reasons.count == 1, report.errors.count == parts.count {
            (report.error, report.errors) = (reason, [:])
        }
        return report
    }

    private static func results(
        of analysis: some Analysis, _ requests: [VNRequest], _ image: AnalysedImage
    ) throws -> [EncodableResult] {
        try analysis.results(of: requests, on: image).map { EncodableResult($0) }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
