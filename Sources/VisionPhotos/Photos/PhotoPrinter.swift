package import Vision

/// Computes feature prints of photos.
package struct PhotoPrinter: Sendable {
    package let revision: Int
    /// Of the prints.
    package let kind: PhotoIndex.Kind

    /// Processes a small image first, so that an error that affects every photo, such as a missing network, is not
    /// reported for one of them.
    ///
    /// - Parameter revision: The revision; nil for the default.
    /// - Throws: `RequestFailure`.
    package init(revision: Int?) throws {
        let request = VNGenerateImageFeaturePrintRequest()
        if let revision { request.revision = revision }
        self.revision = request.revision
        do {
            try VNImageRequestHandler(cvPixelBuffer: try ProbeImage.make()).perform([request])
            guard let print = request.results?.first else {
                throw PhotoFile.Failure(description: "an image has no feature print")
            }
            kind = StoredPrint(print).kind
        } catch {
            throw RequestFailure(path: "feature prints", error)
        }
    }

    /// - Throws: The error of the request when the bytes are not an image.
    package func observation(of data: Data) throws -> VNFeaturePrintObservation {
        let request = VNGenerateImageFeaturePrintRequest()
        request.revision = revision
        try VNImageRequestHandler(data: data).perform([request])
        guard let print = request.results?.first else {
            throw PhotoFile.Failure(description: "has no feature print")
        }
        return print
    }

    package func observation(of path: FilePath) throws -> VNFeaturePrintObservation {
        try observation(of: try PhotoFile.read(path).data)
    }

    package func print(of data: Data) throws -> StoredPrint { StoredPrint(try observation(of: data)) }
}

extension StoredPrint {
    package init(_ observation: VNFeaturePrintObservation) {
        kind = PhotoIndex.Kind(
            revision: observation.requestRevision, elementType: Int(observation.elementType.rawValue),
            count: observation.elementCount, byteCount: observation.data.count)
        data = Array(observation.data)
    }
}
