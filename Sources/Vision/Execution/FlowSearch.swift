import Foundation
import VisionAlgorithms
import VisionImage

/// What optical-flow requests have in common.
struct FlowSearch: Sendable {
    let accuracy: OpticalFlow.Accuracy
    let format: OSType

    /// - Throws: `invalidArgument` for a pixel format that vectors cannot be written to.
    init(_ accuracy: OpticalFlow.Accuracy, format: OSType) throws {
        guard Self.formats.contains(format) else {
            throw visionError(
                .invalidArgument,
                "outputPixelFormat is \(PixelFormatLayout.name(of: format)); it must be "
                    + "kCVPixelFormatType_TwoComponent32Float or kCVPixelFormatType_TwoComponent16Half.")
        }
        (self.accuracy, self.format) = (accuracy, format)
    }

    static let formats = [kCVPixelFormatType_TwoComponent32Float, kCVPixelFormatType_TwoComponent16Half]

    /// Returns the pixels of a region that the flow is computed of.
    static func frame(of image: ImageSource, in region: PixelRegion) throws -> Raster {
        let size = OpticalFlow.processedSize(width: Int(region.width), height: Int(region.height))
        return try image.derivative(
            Derivative(region: region, width: size.width, height: size.height, format: .grey8))
    }

    /// Returns the flow between two frames that `frame(of:in:)` made of the same region of two images of one size, as a
    /// buffer of the size of the images: 0 outside of the region.
    func buffer(
        from first: Raster, to second: Raster, region: PixelRegion, in size: ImageSize, _ cancellation: Cancellation
    ) throws -> CVPixelBuffer {
        let field = try OpticalFlow(accuracy).field(
            from: first, to: second, width: Int(region.width), height: Int(region.height)
        ) { try cancellation.check() }
        var made: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, size.width, size.height, format, nil, &made) == kCVReturnSuccess, let made else {
            throw visionError(
                .outOfMemory, "There is no memory for the flow of \(size.width) × \(size.height) pixels.")
        }
        CVPixelBufferLockBaseAddress(made, [])
        defer { CVPixelBufferUnlockBaseAddress(made, []) }
        guard let address = CVPixelBufferGetBaseAddress(made) else { return made }
        let rowBytes = CVPixelBufferGetBytesPerRow(made)
        let isHalf = format == kCVPixelFormatType_TwoComponent16Half
        field.forEachRow { y, u, v in
            let row = address + (y + Int(region.y)) * rowBytes
            if isHalf {
                let vectors = (row + 4 * Int(region.x)).assumingMemoryBound(to: Float16.self)
                for x in 0..<u.count { (vectors[2 * x], vectors[2 * x + 1]) = (Float16(u[x]), Float16(v[x])) }
            } else {
                let vectors = (row + 8 * Int(region.x)).assumingMemoryBound(to: Float.self)
                for x in 0..<u.count { (vectors[2 * x], vectors[2 * x + 1]) = (u[x], v[x]) }
            }
        }
        return made
    }
}
