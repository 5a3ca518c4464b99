import Foundation

/// Photographs of a folder as images of a wanted size.
final class PhotoFolder {
    struct Empty: Error, CustomStringConvertible {
        let description: String
    }

    private let files: [URL]
    private var decoded: [Int: RGBImage] = [:]

    init(_ path: String) throws {
        files = try imageFiles(in: URL(fileURLWithPath: path, isDirectory: true))
        guard !files.isEmpty else { throw Empty(description: "no JPEG or PNG files in \(path)") }
    }

    /// Returns a crop from the centre of photo `number`, modulo their count; where the photo is too small the next ones
    /// continue it to the right and below, each at its own resolution, so that nothing is enlarged.
    func image(_ width: Int, _ height: Int, number: Int) throws -> RGBImage {
        let first = try photo(number)
        if first.width >= width, first.height >= height {
            let x = (first.width - width) / 2
            return first.cropped(x: x, y: (first.height - height) / 2, width: width, height: height)
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        var next = number
        var y = 0
        while y < height {
            var x = 0
            var rows = height - y
            while x < width {
                let tile = try photo(next)
                next += 1
                let columns = min(tile.width, width - x)
                rows = min(rows, tile.height)
                for row in 0..<rows {
                    let from = row * tile.width * 3
                    let to = ((y + row) * width + x) * 3
                    pixels.replaceSubrange(to..<(to + columns * 3), with: tile.pixels[from..<(from + columns * 3)])
                }
                x += columns
            }
            y += rows
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }

    /// How many photographs there are.
    var count: Int { files.count }

    /// The name of a photograph's file.
    func name(number: Int) -> String { files[number % files.count].lastPathComponent }

    /// A photograph as it is.
    func whole(number: Int) throws -> RGBImage { try photo(number) }

    private func photo(_ number: Int) throws -> RGBImage {
        let index = number % files.count
        if let image = decoded[index] { return image }
        let image = try RGBImage(contentsOf: files[index])
        // A few are kept: neighbours are asked for again and again, all of them would not fit.
        if decoded.count >= 32 { decoded.removeAll() }
        decoded[index] = image
        return image
    }
}
