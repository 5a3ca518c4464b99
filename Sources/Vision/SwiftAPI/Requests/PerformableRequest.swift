/// A request that this module performs, through a request of the classic API.
protocol PerformableRequest: VisionRequest {
    /// The state that the request keeps between performs beside its classic request; nil for none.
    var tracking: TrackingState? { get }

    /// Returns the classic request with the same parameters.
    func makeClassicRequest() throws -> VNRequest

    /// Returns the result that the observations of the classic request make.
    func result(from observations: [VNObservation]) throws -> Result

    /// Returns a result together with the request.
    func visionResult(_ result: Result) -> VisionResult
}

extension PerformableRequest {
    var tracking: TrackingState? { nil }
}

/// A request with its classic request, ready to be performed.
struct PreparedRequest<Output> {
    let part: Performance.Part
    /// Makes the result out of the observations of the classic request.
    let output: ([VNObservation]) throws -> Output
}

extension PreparedRequest: @unchecked Sendable {
    // Unchecked: the classic request is used by one perform; only `cancel()`, which may be called from any thread, is
    // called meanwhile. The closure captures requests, which are Sendable.
}

extension VisionRequest {
    /// Returns the request with its classic request.
    func prepared() throws -> PreparedRequest<Result> {
        try prepare(self) { request, observations in
            guard let result = try request.result(from: observations) as? Result else {
                throw VisionError.internalError("The result of \(self) has another type.")
            }
            return result
        }
    }

    /// Returns the request with its classic request, for a result of any kind.
    func preparedForAnyResult() throws -> PreparedRequest<VisionResult> {
        try prepare(self) { request, observations in
            try request.visionResult(observations: observations)
        }
    }
}

extension PreparedRequest {
    /// The same request without what it has learnt from earlier frames, for two images, both of which it analyses.
    var anew: PreparedRequest {
        let classic = part.classic.copy() as? VNRequest ?? part.classic
        (classic as? VNStatefulRequest)?.frameAnalysisSpacing = .zero
        return PreparedRequest(part: Performance.Part(classic: classic, tracking: nil), output: output)
    }
}

extension PerformableRequest {
    fileprivate func visionResult(observations: [VNObservation]) throws -> VisionResult {
        visionResult(try result(from: observations))
    }
}

private func prepare<Output>(
    _ request: any VisionRequest,
    output: @escaping (any PerformableRequest, [VNObservation]) throws -> Output
) throws -> PreparedRequest<Output> {
    guard let request = request as? any PerformableRequest else {
        throw VisionError.unsupportedRequest(
            "\(type(of: request)) is not a request of this package and cannot be performed.")
    }
    do {
        let part = Performance.Part(classic: try request.makeClassicRequest(), tracking: request.tracking)
        return PreparedRequest(part: part) { try output(request, $0) }
    } catch {
        throw VisionError(error)
    }
}

extension [VNObservation] {
    /// Returns the observations as those of a request that has results of one class.
    func all<Observation: VNObservation>(of type: Observation.Type) throws -> [Observation] {
        try map { observation in
            guard let observation = observation as? Observation else {
                throw VisionError.internalError(
                    "An observation of the class \(Swift.type(of: observation)) is unexpected.")
            }
            return observation
        }
    }

    /// Returns the only observation of a request that has one for every frame that it analyses.
    func only<Observation: VNObservation>(of type: Observation.Type) throws -> Observation {
        guard let observation = try all(of: type).first else {
            throw VisionError.dataUnavailable(
                "The request has no result for this frame: it needs an earlier one, or its frameAnalysisSpacing leaves "
                    + "the frame out.")
        }
        return observation
    }
}

extension VNImageBasedRequest {
    /// Sets the region of interest and the revision.
    func with(_ region: NormalizedRect, revision: Int) -> Self {
        regionOfInterest = region.cgRect
        self.revision = revision
        return self
    }
}
