import CoreML

/// An image as a result: the output of a network, or a mask.
public struct PixelBufferObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNPixelBufferObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The size in pixels.
    public var size: CGSize { classic.pixelBuffer.size }

    /// The pixel format, one of Core Video's `kCVPixelFormatType_…`.
    public var pixelFormat: OSType { CVPixelBufferGetPixelFormatType(classic.pixelBuffer) }

    /// The name of the output that the image comes from, for Core ML models.
    public var featureName: String? { classic.featureName }

    /// The image; its format decides what it looks like: one component gives grey.
    ///
    /// - Throws: `VisionError.invalidFormat` if the format has no image.
    public var cgImage: CGImage {
        get throws {
            let image = CIImage(cvPixelBuffer: classic.pixelBuffer)
            guard let result = CIContext().createCGImage(image, from: image.extent) else {
                throw VisionError.invalidFormat("Pixels of the format \(pixelFormat) cannot be shown as an image.")
            }
            return result
        }
    }

    /// Creates an observation from one of the classic API.
    public init?(_ observation: VNPixelBufferObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNPixelBufferObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the value of a pixel of an image with one component: 0…1 for components of 8 bits, the number itself for
    /// floats. Points outside of the image have the value of the nearest pixel; images of more components 0.
    public func pixel(at point: NormalizedPoint) -> Float {
        classic.pixelBuffer.component(0, at: point) ?? 0
    }

    /// Calls a closure with the address of the first row. Rows are `CVPixelBufferGetBytesPerRow` bytes apart; the
    /// address is valid during the call only.
    public func withUnsafePointer<Value>(_ body: (UnsafeRawPointer) -> Value) -> Value {
        classic.pixelBuffer.withFirstRow(body)
    }
}

/// A map of what stands out in an image.
public struct SaliencyImageObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNSaliencyImageObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The map: one float a pixel, 0…1.
    public var heatMap: PixelBufferObservation {
        PixelBufferObservation(classic, descriptor: originatingRequestDescriptor)
    }

    /// The boxes of what stands out; empty if nothing does.
    public var salientObjects: [RectangleObservation] {
        (classic.salientObjects ?? []).map { RectangleObservation($0, descriptor: originatingRequestDescriptor) }
    }

    /// Creates an observation from one of the classic API.
    public init?(_ observation: VNSaliencyImageObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNSaliencyImageObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

extension CVPixelBuffer {
    /// The size in pixels.
    var size: CGSize { CGSize(width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self)) }

    /// Returns a component of the pixel at a point; nil for formats without components of floats or 8 bits.
    func component(_ component: Int, at point: NormalizedPoint) -> Float? {
        let (width, height) = (CVPixelBufferGetWidth(self), CVPixelBufferGetHeight(self))
        func index(_ position: CGFloat, _ count: Int) -> Int {
            position.isFinite ? Int(min(max(0, position * CGFloat(count)), CGFloat(count - 1))) : 0
        }
        let (column, row) = (index(point.x, width), index(1 - point.y, height))
        let format = CVPixelBufferGetPixelFormatType(self)
        let components: Int
        switch format {
        case kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
            kCVPixelFormatType_OneComponent32Float:
            components = 1
        case kCVPixelFormatType_TwoComponent16Half, kCVPixelFormatType_TwoComponent32Float: components = 2
        default: return nil
        }
        guard component < components else { return nil }
        return withFirstRow { base in
            let line = base + row * CVPixelBufferGetBytesPerRow(self)
            let place = column * components + component
            return switch format {
            case kCVPixelFormatType_OneComponent8: Float(line.load(fromByteOffset: place, as: UInt8.self)) / 255
            case kCVPixelFormatType_OneComponent16Half, kCVPixelFormatType_TwoComponent16Half:
                Float(line.loadUnaligned(fromByteOffset: place * 2, as: Float16.self))
            default: line.loadUnaligned(fromByteOffset: place * 4, as: Float.self)
            }
        }
    }

    /// Calls a closure with the address of the first row.
    func withFirstRow<Value>(_ body: (UnsafeRawPointer) -> Value) -> Value {
        _ = CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { _ = CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        return body(UnsafeRawPointer(planes[0].address))
    }
}
