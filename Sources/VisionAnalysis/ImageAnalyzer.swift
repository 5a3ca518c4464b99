package import NetworkMetadata
public import Foundation
package import Vision

extension AnalysisPlan {
    /// Analyses the bytes of an image file on a thread of OpenVision's pool, and waits without blocking one.
    ///
    /// What fails is part of the report. Nothing limits how many calls run at the same time but the pixels in flight
    /// (`VisionSettings.maximumPixelsInFlight`): a server keeps a queue in front.
    ///
    /// - Parameters:
    ///   - data: The bytes of an image file.
    ///   - maximumPixels: The most pixels of an image that is decoded.
    /// - Throws: `CancellationError` when the task was cancelled; running requests stop at their next step.
    public func analyze(_ data: Data, maximumPixels: Int = .max) async throws -> AnalysisReport {
        let cancellation = AnalysisCancellation()
        let detached = DetachedPerform()
        let handler = VNImageRequestHandler(data: data)
        let report = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<AnalysisReport, Never>) in
                detached.start(pixels: { min(handler.pixelCount, maximumPixels) }) {
                    continuation.resume(
                        returning: self.report(on: handler, maximumPixels: maximumPixels, cancellation: cancellation))
                }
            }
        } onCancel: {
            cancellation.cancel()
            detached.cancel()
        }
        if Task.isCancelled || cancellation.isCancelled { throw CancellationError() }
        return report
    }

    /// Analyses the bytes of an image file. What fails is part of the report.
    ///
    /// All requests share the decoded image and the networks' results.
    package func report(of data: Data, id: JSONValue = .null, path: String? = nil) -> AnalysisReport {
        report(on: VNImageRequestHandler(data: data), id: id, path: path)
    }

    /// Analyses the image of a handler.
    package func report(
        on handler: VNImageRequestHandler, id: JSONValue = .null, path: String? = nil, maximumPixels: Int = .max,
        cancellation: AnalysisCancellation = AnalysisCancellation()
    ) -> AnalysisReport {
        var report = AnalysisReport(id: id, path: path)
        do {
            try cancellation.check()
            let size = try handler.uprightImageSize()
            (report.image.width, report.image.height) = size
            let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
            guard !overflow, pixels <= maximumPixels else {
                report.failure = .tooManyPixels
                report.error =
                    "The image has \(size.width) × \(size.height) pixels; at most \(maximumPixels) are allowed."
                return report
            }
            let image = AnalysedImage(
                cancellation: cancellation, handler: handler,
                coordinates: RecordCoordinates(width: size.width, height: size.height))
            try perform(on: image, &report)
        } catch {
            (report.failure, report.error) = (AnalysisReport.Failure(error), error.localizedDescription)
        }
        // An image that cannot be decoded is one error, not one for each request.
        let reasons = Set(report.errors.values)
        if let reason = reasons.first, reasons.count == 1, report.errors.count == parts.count {
            (report.failure, report.error) = (report.failures.values.first, reason)
            (report.errors, report.failures) = ([:], [:])
        }
        return report
    }

    private func perform(on image: AnalysedImage, _ report: inout AnalysisReport) throws {
        let requests = try parts.map { try $0.analysis.makeRequests() }
        var outcomes = image.outcomes(of: requests.flatMap { $0 }).makeIterator()
        for (part, requests) in zip(parts, requests) {
            let failure = requests.compactMap { _ in outcomes.next()?.failure }.first
            do {
                if let failure { throw failure }
                // Results may perform more requests.
                try image.cancellation.check()
                report.results[part.name] = try Self.results(of: part.analysis, requests, image)
            } catch {
                report.failures[part.name] = AnalysisReport.Failure(error)
                report.errors[part.name] = error.localizedDescription
            }
        }
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
