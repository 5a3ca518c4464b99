import CoreML

/// A request of the Swift API: a value (or, where it keeps state between images, an object) with the parameters of an
/// analysis. Only the requests of this module can be performed.
///
///     let faces = try await DetectFaceRectanglesRequest().perform(on: url)
///
/// Every request does its work through the `VN…` request of the same name: the results of both are the same.
public protocol VisionRequest: CustomStringConvertible, Hashable, Sendable {
    /// What a perform returns.
    associatedtype Result

    /// The kind of the request and its revision.
    var descriptor: RequestDescriptor { get }

    /// The devices on which the stages of the request can run: the CPU.
    var supportedComputeStageDevices: [ComputeStage: [MLComputeDevice]] { get }

    /// Returns the device on which a stage runs; nil if the request has no such stage.
    func computeDevice(for computeStage: ComputeStage) -> MLComputeDevice?

    /// Selects the device of a stage. There is one device, the CPU, so this has no effect.
    mutating func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: ComputeStage)
}

extension VisionRequest {
    /// The devices on which the stages of the request can run: the CPU.
    public var supportedComputeStageDevices: [ComputeStage: [MLComputeDevice]] {
        [.main: MLComputeDevice.allComputeDevices]
    }

    /// Returns the device on which a stage runs; nil if the request has no such stage.
    public func computeDevice(for computeStage: ComputeStage) -> MLComputeDevice? {
        supportedComputeStageDevices[computeStage]?.first
    }

    /// Has no effect: there is one device.
    public mutating func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: ComputeStage) {}

    /// A text for logs.
    public var description: String { "\(descriptor)" }
}

/// A stage of the processing of a request.
public enum ComputeStage: Codable, Hashable, Sendable {
    /// The analysis itself.
    case main
    /// What follows it.
    case postProcessing
}

/// A request about a region of one image.
public protocol ImageProcessingRequest: VisionRequest {
    /// The region of the upright image that is analysed: all of it by default. A region that is not within the image,
    /// or is empty, makes the perform fail.
    var regionOfInterest: NormalizedRect { get set }
}

extension ImageProcessingRequest {
    /// Performs the request on an image file. Only file URLs can be read.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - orientation: The orientation of the image; that of its EXIF entry if nil.
    /// - Throws: `VisionError`; `requestCancelled` if the task is cancelled.
    public func perform(on url: URL, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await ImageRequestHandler(url, orientation: orientation).perform(self)
    }

    /// Performs the request on the bytes of an image file. Parameters and errors as for a URL.
    public func perform(on data: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await ImageRequestHandler(data, orientation: orientation).perform(self)
    }

    /// Performs the request on an image, which is upright if no orientation is given.
    public func perform(on image: CGImage, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await ImageRequestHandler(image, orientation: orientation).perform(self)
    }

    /// Performs the request on a Core Image image, in its own orientation if none is given.
    public func perform(on image: CIImage, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await ImageRequestHandler(image, orientation: orientation).perform(self)
    }

    /// Performs the request on a pixel buffer, which is upright if no orientation is given and must not change
    /// meanwhile.
    public func perform(
        on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> Result {
        try await ImageRequestHandler(pixelBuffer, orientation: orientation).perform(self)
    }

    /// Performs the request on a video frame, which is upright if no orientation is given and must not change
    /// meanwhile.
    public func perform(
        on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> Result {
        try await ImageRequestHandler(sampleBuffer, orientation: orientation).perform(self)
    }
}

/// A request that gathers evidence over the frames of a video: an object whose performs belong together. Perform it on
/// one frame after the other; two requests are equal if they are the same object.
public protocol StatefulRequest: VisionRequest, AnyObject {
    /// The time between two analysed frames; `CMTime.zero` analyses every frame.
    var frameAnalysisSpacing: CMTime { get }
    /// The number of frames that the request needs before it has results.
    var minimumLatencyFrameCount: Int { get }
}

extension StatefulRequest {
    /// Returns whether both have the same values.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A request about two images, a source and a target; see `TargetedImageRequestHandler`.
public protocol TargetedRequest: VisionRequest {}
