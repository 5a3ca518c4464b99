import CFuzzer
import Foundation
package import VisionImage

/// Runs libFuzzer with the arguments of the process and ends it. `check` may refuse an image, and throw nothing else.
package func fuzz(_ check: @escaping @Sendable ([UInt8]) throws -> Void) -> Never {
    ImageFuzzing.check = check
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            do {
                try ImageFuzzing.check(data.map { [UInt8](UnsafeBufferPointer(start: $0, count: size)) } ?? [])
            } catch is ImageError {
                // An image may be refused.
            } catch {
                preconditionFailure("\(error)")
            }
            return 0
        })
}

private enum ImageFuzzing {
    /// libFuzzer calls a C function, which captures nothing. Set once, before the only thread starts to fuzz.
    nonisolated(unsafe) static var check: @Sendable ([UInt8]) throws -> Void = { _ in }
}

/// Makes a grey image; `value` returns the pixel of an index in row-major order.
package func greyImage(width: Int, height: Int, value: (Int) -> UInt8) throws -> Raster {
    try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
        for row in 0..<height {
            for column in 0..<width {
                target.storeBytes(
                    of: value(row * width + column), toByteOffset: row * rowBytes + column, as: UInt8.self)
            }
        }
    }
}
