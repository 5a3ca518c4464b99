import Vision

/// A grey image in memory, row 0 at the top, that becomes each kind of image that Vision takes.
struct GreyFrame: Equatable {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    init(width: Int, height: Int, pixel: (_ column: Int, _ row: Int) -> UInt8) {
        self.width = width
        self.height = height
        pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
    }

    subscript(column: Int, row: Int) -> UInt8 {
        get { pixels[row * width + column] }
        set { pixels[row * width + column] = newValue }
    }

    /// Draws a square of `scene`'s texture at a position.
    mutating func draw(_ scene: Scene, centreX: Int, centreY: Int, side: Int) {
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (centreX - side / 2 + column, centreY - side / 2 + row)
                guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
                self[x, y] = UInt8(scene.brightness(Double(column), Double(row)).rounded())
            }
        }
    }

    /// The pixels as they are stored in a file or buffer that has to be brought upright by `orientation`, computed from
    /// the EXIF standard's table of what row 0 and column 0 are.
    func stored(for orientation: CGImagePropertyOrientation) -> GreyFrame {
        let (right, bottom) = (width - 1, height - 1)
        let swaps = orientation.rawValue >= 5
        var result = GreyFrame(width: swaps ? height : width, height: swaps ? width : height) { _, _ in 0 }
        for y in 0..<height {
            for x in 0..<width {
                let position: (x: Int, y: Int) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right - x, y)
                    case .down: (right - x, bottom - y)
                    case .downMirrored: (x, bottom - y)
                    case .leftMirrored: (y, x)
                    case .right: (y, right - x)
                    case .rightMirrored: (bottom - y, right - x)
                    case .left: (bottom - y, x)
                    }
                result[position.x, position.y] = self[x, y]
            }
        }
        return result
    }

    /// A 32BGRA buffer with padded rows.
    func pixelBuffer() -> CVPixelBuffer {
        makeBuffer(kCVPixelFormatType_32BGRA) { base, rowBytes in
            for row in 0..<height {
                for column in 0..<width {
                    let pixel = base + row * rowBytes + column * 4
                    let value = self[column, row]
                    for component in 0..<3 { pixel.storeBytes(of: value, toByteOffset: component, as: UInt8.self) }
                    pixel.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
                }
            }
        }
    }

    /// A buffer of one byte a pixel.
    func greyPixelBuffer() -> CVPixelBuffer {
        makeBuffer(kCVPixelFormatType_OneComponent8) { base, rowBytes in write(to: base, rowBytes: rowBytes) }
    }

    /// Writes the frame into a buffer that `greyPixelBuffer()` made for one of the same size.
    func write(to buffer: CVPixelBuffer, locking: Bool = true) {
        if locking { CVPixelBufferLockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { preconditionFailure("a buffer has memory") }
        write(to: base, rowBytes: CVPixelBufferGetBytesPerRow(buffer))
        if locking { CVPixelBufferUnlockBaseAddress(buffer, []) }
    }

    private func write(to base: UnsafeMutableRawPointer, rowBytes: Int) {
        for row in 0..<height {
            for column in 0..<width {
                base.storeBytes(of: self[column, row], toByteOffset: row * rowBytes + column, as: UInt8.self)
            }
        }
    }

    private func makeBuffer(_ format: OSType, fill: (UnsafeMutableRawPointer, Int) -> Void) -> CVPixelBuffer {
        var made: CVPixelBuffer?
        let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &made)
        guard status == kCVReturnSuccess, let buffer = made else { preconditionFailure("no buffer: \(status)") }
        CVPixelBufferLockBaseAddress(buffer, [])
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { preconditionFailure("a buffer has memory") }
        fill(base, CVPixelBufferGetBytesPerRow(buffer))
        CVPixelBufferUnlockBaseAddress(buffer, [])
        return buffer
    }

    func cgImage() -> CGImage {
        let image = CGDataProvider(data: Data(pixels) as CFData).flatMap { provider in
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: width,
                space: CGColorSpaceCreateDeviceGray(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent)
        }
        guard let image else { preconditionFailure("no image") }
        return image
    }

    func ciImage() -> CIImage { CIImage(cvPixelBuffer: pixelBuffer()) }

    /// A JPEG file whose EXIF entry names `orientation`; without such an entry for nil.
    func jpeg(orientation: CGImagePropertyOrientation? = nil) -> Data {
        let data = NSMutableData()
        guard let destination = CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil) else {
            preconditionFailure("no JPEG encoder")
        }
        let quality: [AnyHashable: Any] = [kCGImageDestinationLossyCompressionQuality: 0.95]
        CGImageDestinationAddImage(destination, cgImage(), quality as CFDictionary)
        precondition(CGImageDestinationFinalize(destination), "no JPEG")
        var jpeg = data as Data
        if let orientation { jpeg.insert(contentsOf: Self.exif(orientation), at: jpeg.startIndex + 2) }
        return jpeg
    }

    /// An APP1 segment with one entry: the orientation.
    private static func exif(_ orientation: CGImagePropertyOrientation) -> [UInt8] {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + [0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0] + [0, 0, 0, 0]
        let body = Array("Exif".utf8) + [0, 0] + tiff
        let length = body.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }
}
