import Foundation
import VisionFilters
import VisionImage

/// Filters of Core Image, from a pixel buffer of the format BGRA to a bitmap of it.
enum Filters {
    private static let (width, height) = (1920, 1080)

    /// A filter of an image, and of a second one and a mask, and the rectangle that is rendered.
    private struct Filter {
        let name: String
        var size: (width: Int, height: Int) = (Filters.width, Filters.height)
        let make: (_ image: CIImage, _ other: CIImage, _ mask: CIImage) -> CIImage
    }

    private static func blur(_ name: String, _ filter: String, _ radius: Double) -> Filter {
        Filter(name: name) { image, _, _ in
            image.clampedToExtent().applyingFilter(filter, parameters: [kCIInputRadiusKey: radius])
        }
    }

    /// Top left, top right, bottom right, bottom left, from the top left corner of the image.
    private static let quad = [(200.0, 100.0), (1700, 60), (1850, 1000), (120, 1040)]

    private static var filters: [Filter] {
        [
            blur("gaussian-3", "CIGaussianBlur", 3), blur("gaussian-10", "CIGaussianBlur", 10),
            blur("box-3", "CIBoxBlur", 3), blur("box-10", "CIBoxBlur", 10),
            Filter(name: "lanczos-half", size: (width / 2, height / 2)) { image, _, _ in
                image.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: 0.5])
            },
            Filter(name: "perspective-correction") { image, _, _ in
                let keys = ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"]
                let points = quad.map { CIVector(x: CGFloat($0.0), y: CGFloat(Double(height) - $0.1)) }
                let corners: [String: CIVector] = Dictionary(uniqueKeysWithValues: zip(keys, points))
                return image.applyingFilter("CIPerspectiveCorrection", parameters: corners)
            },
            Filter(name: "colour-matrix") { image, _, _ in
                image.applyingFilter(
                    "CIColorMatrix",
                    parameters: [
                        "inputRVector": CIVector(x: 0.8, y: 0.2, z: 0, w: 0),
                        "inputGVector": CIVector(x: 0.1, y: 0.8, z: 0.1, w: 0),
                        "inputBVector": CIVector(x: 0, y: 0.1, z: 0.9, w: 0),
                    ])
            },
            Filter(name: "exposure") { image, _, _ in
                image.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: -0.5])
            },
            Filter(name: "blend-with-mask") { image, other, mask in
                image.applyingFilter(
                    "CIBlendWithMask",
                    parameters: [kCIInputBackgroundImageKey: other, kCIInputMaskImageKey: mask])
            },
            Filter(name: "source-over") { image, other, _ in image.composited(over: other) },
            // Floats between the steps.
            Filter(name: "exposure-gaussian-3") { image, _, _ in
                image.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: -0.5]).clampedToExtent()
                    .applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: 3])
            },
        ]
    }

    /// Renders over and over into the same memory.
    private final class Bitmap {
        let context = CIContext()
        let image: CIImage
        var bytes: [UInt8]
        let bounds: CGRect

        init(_ filter: Filter, _ frames: [CVPixelBuffer]) {
            let images = (0..<3).map { CIImage(cvPixelBuffer: frames[min($0, frames.count - 1)]) }
            image = filter.make(images[0], images[1], images[2])
            bounds = CGRect(x: 0, y: 0, width: filter.size.width, height: filter.size.height)
            bytes = [UInt8](repeating: 0, count: 4 * filter.size.width * filter.size.height)
        }

        func render() {
            context.render(
                image, toBitmap: &bytes, rowBytes: 4 * Int(bounds.width), bounds: bounds, format: .BGRA8,
                colorSpace: nil)
        }
    }

    static var benchmarks: [Benchmark] {
        filters.map { filter in
            Benchmark(name: "coreimage/\(filter.name)/\(width)x\(height)") { inputs in
                let bitmap = Bitmap(filter, [try PixelBuffers.bgra(try inputs.image(width, height))])
                return .init { bitmap.render() }
            }
        }
    }

    /// `coreimage-NAME` of a file with three frames: the image, the one behind, and the mask.
    static var cases: [ServedCase] {
        filters.map { filter in
            ServedCase(name: "coreimage-\(filter.name)") { file, parameters in
                let raw = try RawFile(path: file)
                let bitmap = Bitmap(filter, try raw.frames.map { try PixelBuffers.make($0, of: raw) })
                if let output = parameters["output"] {
                    bitmap.render()
                    try Data(bitmap.bytes).write(to: URL(fileURLWithPath: output))
                }
                return {
                    bitmap.render()
                    return []
                }
            }
        }
    }
}
