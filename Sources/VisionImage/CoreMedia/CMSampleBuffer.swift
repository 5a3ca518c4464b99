import Foundation

/// A video frame with its time.
///
/// Core Media's sample buffers can also hold compressed media, sound and text; this one wraps a pixel buffer, which is
/// all that Vision reads from it.
public final class CMSampleBuffer: @unchecked Sendable {
    // Unchecked: the attachments and the validity are behind `mutex`.

    /// The frame.
    public let imageBuffer: CVImageBuffer?
    /// The presentation time.
    public let presentationTimeStamp: CMTime
    /// The duration.
    public let duration: CMTime
    /// The time at which the frame is decoded; invalid where that is the presentation time.
    public let decodeTimeStamp: CMTime

    private let mutex = NSLock()
    private var attachments = Attachments()
    private var wasInvalidated = false

    /// Creates a sample buffer of a video frame.
    public convenience init(
        imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime = .invalid, duration: CMTime = .invalid
    ) {
        self.init(
            imageBuffer,
            CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid))
    }

    init(_ imageBuffer: CVImageBuffer?, _ timing: CMSampleTimingInfo) {
        self.imageBuffer = imageBuffer
        presentationTimeStamp = timing.presentationTimeStamp
        duration = timing.duration
        decodeTimeStamp = timing.decodeTimeStamp
    }

    /// The size and the pixel format of the frame.
    public var formatDescription: CMFormatDescription? { imageBuffer.map(CMFormatDescription.init) }

    /// Whether `CMSampleBufferInvalidate` has not been called.
    public var isValid: Bool { mutex.withLock { !wasInvalidated } }

    /// The number of frames: 1.
    public var numSamples: Int { 1 }

    func invalidate() { mutex.withLock { wasInvalidated = true } }

    func withAttachments<Result>(_ body: (inout Attachments) -> Result) -> Result {
        mutex.withLock { body(&attachments) }
    }
}

/// The times of a sample.
public struct CMSampleTimingInfo: Sendable, Hashable {
    /// The duration.
    public var duration: CMTime
    /// The time at which the sample is shown.
    public var presentationTimeStamp: CMTime
    /// The time at which the sample is decoded; invalid where that is the presentation time.
    public var decodeTimeStamp: CMTime

    /// Creates invalid times.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Creates times.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Invalid times.
    public static let invalid = CMSampleTimingInfo()
}

/// Returns the frame of a sample buffer.
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.imageBuffer }

/// Returns the presentation time of a sample buffer.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.presentationTimeStamp }

/// Returns the time at which a sample buffer is decoded; invalid where that is the presentation time.
public func CMSampleBufferGetDecodeTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.decodeTimeStamp }

/// Returns the duration of a sample buffer.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }

/// Returns the size and the pixel format of the frame.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.formatDescription
}

/// Returns the number of frames: 1.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Returns whether `CMSampleBufferInvalidate` has not been called.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns whether the frame is there: always.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.imageBuffer != nil }

/// Marks the buffer as invalid. The frame stays as it is.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
    sbuf.invalidate()
    return noErr
}

/// Returns the times of sample 0, the only one; `kCMSampleBufferError_RequiredParameterMissing` and
/// `kCMSampleBufferError_SampleIndexOutOfRange` are the errors.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: Int, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard sampleIndex == 0 else { return kCMSampleBufferError_SampleIndexOutOfRange }
    timingInfoOut.pointee = CMSampleTimingInfo(
        duration: sbuf.duration, presentationTimeStamp: sbuf.presentationTimeStamp,
        decodeTimeStamp: sbuf.decodeTimeStamp)
    return noErr
}

/// An index of a sample that does not exist.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// An argument that is needed is nil or invalid.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The format description is not that of the image.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// Creates a sample buffer of a frame.
///
/// - Parameters:
///   - allocator: Ignored.
///   - formatDescription: Must match the frame.
///   - sampleTiming: The times.
///   - sampleBufferOut: Receives the sample buffer; not changed on failure.
/// - Returns: `noErr`, or `kCMSampleBufferError_InvalidMediaFormat`.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard CMVideoFormatDescriptionMatchesImageBuffer(formatDescription, imageBuffer: imageBuffer) else {
        return kCMSampleBufferError_InvalidMediaFormat
    }
    sampleBufferOut.pointee = CMSampleBuffer(imageBuffer, sampleTiming.pointee)
    return noErr
}

/// Creates a sample buffer of a frame that is there already. See `CMSampleBufferCreateReadyWithImageBuffer`.
///
/// - Parameters:
///   - dataReady: Must be true: frames are not waited for.
///   - makeDataReadyCallback, refcon: Not used.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
    makeDataReadyCallback: ((CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus)?,
    refcon: UnsafeMutableRawPointer?, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard dataReady else { return kCMSampleBufferError_RequiredParameterMissing }
    return CMSampleBufferCreateReadyWithImageBuffer(
        allocator: allocator, imageBuffer: imageBuffer, formatDescription: formatDescription,
        sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
}
