// Written by Scripts/api-status.py (make api-status) from Documentation/AppleAPI.txt.

import Foundation

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public struct VNVideoProcessor {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public init<Value0>(url value0: Value0) {}

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func addRequest<Value0>(_ value0: Value0, processingOptions: Any? = nil) -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func removeRequest<Value0>(_ value0: Value0) -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func analyze<Value0>(_ value0: Value0) -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func cancel() -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public struct RequestProcessingOptions {}

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public struct Cadence {}

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public struct FrameRateCadence {}

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public struct TimeIntervalCadence {}
}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public final class VNDetectAnimalBodyPoseRequest: VNImageBasedRequest {}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public let VNDetectAnimalBodyPoseRequestRevision1: Int = 1

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public final class VNAnimalBodyPoseObservation: VNObservation, @unchecked Sendable {}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public final class VNCalculateImageAestheticsScoresRequest: VNImageBasedRequest {}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public let VNCalculateImageAestheticsScoresRequestRevision1: Int = 1

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public final class VNImageAestheticsScoresObservation: VNObservation, @unchecked Sendable {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public var isUtility: Any? {
        get { nil }
        set {}
    }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public var overallScore: Any? {
        get { nil }
        set {}
    }
}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public struct VNComputeStage {}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public struct VNBarcodeCompositeType {}

/// Absent: the name is known from Apple's headers.
@available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
public struct VNRecognizedPoint3DGroupKey {}

extension VNRequest {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func computeDevice<Value0>(for value0: Value0) -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public func setComputeDevice<Value0, Value1>(_ value0: Value0, for value1: Value1) -> Any? { nil }

    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public var supportedComputeStageDevices: Any? {
        get { nil }
        set {}
    }
}

extension VNImageRequestHandler {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public convenience init<Value0, Value1, Value2>(
        cvPixelBuffer value0: Value0, depthData value1: Value1, orientation value2: Value2,
        options: [VNImageOption: Any] = [:]
    ) { self.init(data: Data()) }
}

extension VNBarcodeObservation {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public var supplementalCompositeType: Any? {
        get { nil }
        set {}
    }
}

extension VNDetectBarcodesRequest {
    /// Absent: the name is known from Apple's headers.
    @available(*, unavailable, message: "OpenVision lacks this: see Documentation/APIStatus.md")
    public var coalesceCompositeSymbologies: Any? {
        get { nil }
        set {}
    }
}
