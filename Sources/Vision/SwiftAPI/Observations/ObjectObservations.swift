/// A box in the image: the result and the input of a tracker.
public struct DetectedObjectObservation: WrappedObservation, BoundingBoxProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNDetectedObjectObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNDetectedObjectObservation) { self.init(observation, descriptor: nil) }

    /// Creates an observation from a box, to start a tracker with; its confidence is 1.
    public init(boundingBox: NormalizedRect) {
        self.init(VNDetectedObjectObservation(boundingBox: boundingBox.cgRect), descriptor: nil)
    }

    init(_ classic: VNDetectedObjectObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

/// An object with its box and its labels.
public struct RecognizedObjectObservation: WrappedObservation, BoundingBoxProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNRecognizedObjectObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The labels of the object, the most confident first.
    public var labels: [ClassificationObservation] {
        classic.labels.map { ClassificationObservation($0, descriptor: originatingRequestDescriptor) }
    }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNRecognizedObjectObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNRecognizedObjectObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

/// A person.
public struct HumanObservation: WrappedObservation, BoundingBoxProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNHumanObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// Whether the box is that of the upper body (head and torso), not of the whole body.
    public var isUpperBodyOnly: Bool { classic.upperBodyOnly }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNHumanObservation) { self.init(observation, descriptor: nil) }

    /// Creates an observation of a whole body from its box; its confidence is 1.
    public init(boundingBox: NormalizedRect, revision: DetectHumanRectanglesRequest.Revision? = nil) {
        let revision = revision ?? .revision2
        self.init(
            VNHumanObservation(
                upperBodyOnly: false, confidence: 1, requestRevision: revision.classic,
                boundingBox: boundingBox.cgRect, timeRange: .zero),
            descriptor: .detectHumanRectanglesRequest(revision))
    }

    init(_ classic: VNHumanObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

/// A class of the content of an image or of an object.
public struct ClassificationObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNClassificationObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The name of the class.
    public var identifier: String { classic.identifier }

    /// Whether precision and recall are known for the class.
    public var hasPrecisionRecallCurve: Bool { classic.hasPrecisionRecallCurve }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNClassificationObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNClassificationObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns whether the confidence is enough for a recall of at least `minimumRecall` at that precision.
    public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool {
        classic.hasMinimumRecall(minimumRecall, forPrecision: precision)
    }

    /// Returns whether the confidence is enough for a precision of at least `minimumPrecision` at that recall.
    public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool {
        classic.hasMinimumPrecision(minimumPrecision, forRecall: recall)
    }
}
