import Foundation

/// Key: the properties of a TIFF file, a dictionary.
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// Key: the compression of a TIFF file, a number. Files are written without compression, 1.
public let kCGImagePropertyTIFFCompression: CFString = "Compression"
/// Key: the pixels in a unit of length, a number.
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
/// Key: the rows in a unit of length, a number.
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
/// Key: the unit of length: 1 for none, 2 for inches, 3 for centimetres.
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
/// Key: the meaning of grey: 0 where white is 0, 1 where black is.
public let kCGImagePropertyTIFFPhotometricInterpretation: CFString = "PhotometricInterpretation"
/// Key: the orientation of the pixels, 1…8.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// Key: the program that made the file, a string.
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
/// Key: the description of the image, a string.
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"

/// Writes an image as a TIFF file of one strip without compression, in the byte order of Intel.
struct TIFFWriter {
    private var resolution = (x: 72.0, y: 72.0)
    private var unit = 2
    private var orientation = 1
    private var whiteIsZero = false
    private var texts: [(tag: Int, text: String)] = []

    init(_ properties: CFDictionary = [:]) {
        func number(_ key: CFString, _ range: ClosedRange<Double>) -> Double? {
            let value = (properties[key] as? NSNumber)?.doubleValue ?? properties[key] as? Double
            return (value ?? (properties[key] as? Int).map(Double.init)).flatMap { range.contains($0) ? $0 : nil }
        }
        resolution.x = number(kCGImagePropertyTIFFXResolution, 0...1e5) ?? resolution.x
        resolution.y = number(kCGImagePropertyTIFFYResolution, 0...1e5) ?? resolution.y
        unit = number(kCGImagePropertyTIFFResolutionUnit, 1...3).map { Int($0) } ?? unit
        orientation = number(kCGImagePropertyTIFFOrientation, 1...8).map { Int($0) } ?? orientation
        whiteIsZero = number(kCGImagePropertyTIFFPhotometricInterpretation, 0...0) == 0
        for (tag, key) in [(270, kCGImagePropertyTIFFImageDescription), (305, kCGImagePropertyTIFFSoftware)] {
            if let text = properties[key] as? String { texts.append((tag, text)) }
        }
    }

    /// - Parameters:
    ///   - raster: Grey, RGB, or RGBA.
    ///   - isMultiplied: Whether colours are multiplied by alpha.
    func encoded(_ raster: Raster, isMultiplied: Bool) throws -> Data {
        let channels = raster.format.bytesPerPixel
        let size = raster.width * raster.height * channels
        guard size < 1 << 31 else {
            throw ImageError.unsupportedFormat(
                "\(raster.width) x \(raster.height) pixels are more than a TIFF file holds")
        }
        // The pixels behind the header, the values that have no room in the directory behind them.
        var file = Data([0x49, 0x49, 42, 0])
        var values = Data()
        let start = 8
        let valuesStart = start + size + size % 2
        func place(_ data: Data) -> Int {
            defer { values.append(data.count % 2 == 0 ? data : data + [0]) }
            return valuesStart + values.count
        }
        func rational(_ value: Double) -> Data {
            Self.bytes(Int((value * 1000).rounded()), 4) + Self.bytes(1000, 4)
        }
        let bits = (0..<channels).reduce(into: Data()) { data, _ in data += Self.bytes(8, 2) }
        let isGrey = channels == 1
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, raster.width), (257, 4, 1, raster.height),
            (258, 3, channels, isGrey ? 8 : place(bits)), (259, 3, 1, 1),
            (262, 3, 1, isGrey ? (whiteIsZero ? 0 : 1) : 2), (273, 4, 1, start), (274, 3, 1, orientation),
            (277, 3, 1, channels), (278, 4, 1, raster.height), (279, 4, 1, size),
            (282, 5, 1, place(rational(resolution.x))), (283, 5, 1, place(rational(resolution.y))), (296, 3, 1, unit),
        ]
        for (tag, text) in texts {
            // At least five bytes, so that they have no room in the entry.
            let letters = Data(text.utf8.filter { $0 != 0 })
            let bytes = letters + Data(repeating: 0, count: max(1, 5 - letters.count))
            entries.append((tag, 2, bytes.count, place(bytes)))
        }
        if channels == 4 { entries.append((338, 3, 1, isMultiplied ? 1 : 2)) }
        entries.sort { $0.tag < $1.tag }
        file += Self.bytes(valuesStart + values.count, 4)
        append(raster, to: &file)
        if size % 2 == 1 { file.append(0) }
        file += values + Self.bytes(entries.count, 2)
        for entry in entries {
            file +=
                Self.bytes(entry.tag, 2) + Self.bytes(entry.type, 2) + Self.bytes(entry.count, 4)
                + Self.bytes(entry.value, 4)
        }
        return file + Self.bytes(0, 4)
    }

    private func append(_ raster: Raster, to file: inout Data) {
        let row = raster.width * raster.format.bytesPerPixel
        raster.withUnsafePixels { pixels in
            for y in 0..<raster.height {
                let line = UnsafeRawBufferPointer(start: pixels + y * raster.rowBytes, count: row)
                // Grey whose 0 is white.
                if whiteIsZero, raster.format == .grey8 {
                    file.append(contentsOf: line.map { 255 - $0 })
                } else {
                    file.append(contentsOf: line)
                }
            }
        }
    }

    /// A number, the lowest byte first.
    private static func bytes(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
