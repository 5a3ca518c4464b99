/// 32 bits a pixel, bytes B, G, R, A.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// 32 bits a pixel, bytes A, R, G, B.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// 32 bits a pixel, bytes R, G, B, A.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// 24 bits a pixel, bytes R, G, B.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
/// 24 bits a pixel, bytes B, G, R.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// One byte a pixel.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// One 32-bit float a pixel.
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066
/// One 16-bit float a pixel.
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4C30_3068
/// Two 32-bit floats a pixel, such as a vector of optical flow. No image: requests refuse it.
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
/// Two 16-bit floats a pixel. No image: requests refuse it.
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
/// Y in one plane, Cb and Cr interleaved at half size in a second; luma 16…235, chroma 16…240 ("420v").
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// Y in one plane, Cb and Cr interleaved at half size in a second; luma and chroma 0…255 ("420f").
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Y, Cb and Cr in separate planes, chroma at half size; luma 16…235, chroma 16…240 ("y420").
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Y, Cb and Cr in separate planes, chroma at half size; luma and chroma 0…255 ("f420").
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230

/// The memory layout of a pixel format.
package struct PixelFormatLayout: Sendable {
    package struct Plane: Sendable {
        /// The bytes of one element: one pixel, or one pair of Cb and Cr.
        package let bytesPerElement: Int
        /// 1, or 2 if the plane has half the width and height (rounded up).
        package let subsampling: Int
    }

    package enum Kind: Sendable {
        /// One plane in a layout that `Raster` supports.
        case raster(Raster.Format)
        case yCbCr(fullRange: Bool)
        /// Two floats a pixel, which are no image.
        case vectors
    }

    package let kind: Kind
    package let planes: [Plane]

    package init?(_ format: OSType) {
        func single(_ kind: Kind, _ bytes: Int) -> (Kind, [Plane]) {
            (kind, [Plane(bytesPerElement: bytes, subsampling: 1)])
        }
        let luma = Plane(bytesPerElement: 1, subsampling: 1)
        let chroma = Plane(bytesPerElement: 1, subsampling: 2)
        let chromaPair = Plane(bytesPerElement: 2, subsampling: 2)
        switch format {
        case kCVPixelFormatType_32BGRA: (kind, planes) = single(.raster(.bgra8), 4)
        case kCVPixelFormatType_32ARGB: (kind, planes) = single(.raster(.argb8), 4)
        case kCVPixelFormatType_32RGBA: (kind, planes) = single(.raster(.rgba8), 4)
        case kCVPixelFormatType_24RGB: (kind, planes) = single(.raster(.rgb8), 3)
        case kCVPixelFormatType_24BGR: (kind, planes) = single(.raster(.bgr8), 3)
        case kCVPixelFormatType_OneComponent8: (kind, planes) = single(.raster(.grey8), 1)
        case kCVPixelFormatType_OneComponent32Float: (kind, planes) = single(.raster(.greyFloat), 4)
        case kCVPixelFormatType_OneComponent16Half: (kind, planes) = single(.raster(.greyHalf), 2)
        case kCVPixelFormatType_TwoComponent32Float: (kind, planes) = single(.vectors, 8)
        case kCVPixelFormatType_TwoComponent16Half: (kind, planes) = single(.vectors, 4)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
            (kind, planes) = (.yCbCr(fullRange: false), [luma, chromaPair])
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            (kind, planes) = (.yCbCr(fullRange: true), [luma, chromaPair])
        case kCVPixelFormatType_420YpCbCr8Planar:
            (kind, planes) = (.yCbCr(fullRange: false), [luma, chroma, chroma])
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange:
            (kind, planes) = (.yCbCr(fullRange: true), [luma, chroma, chroma])
        default: return nil
        }
    }

    /// Whether Core Video considers the format planar: it then has a plane count above zero.
    package var isPlanar: Bool { planes.count > 1 }

    /// The code in readable form: four letters if it has them, otherwise the number.
    package static func name(of format: OSType) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: format >> UInt32($0)) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return String(format) }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}
