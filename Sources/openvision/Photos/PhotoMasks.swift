import Foundation
import Vision
import VisionPhotos
import VisionRecords

/// The masks of the people or objects of one photo, at its size.
struct PhotoMasks: Sendable {
    let photo: Photo
    /// Each object, with its number; nil for the mask of all people.
    let results: [SegmentResult]
    /// How much of each pixel belongs to one of the objects.
    private let mask: FloatMap
    /// The number of the object of each pixel; empty for the mask of all people.
    private let labels: [UInt8]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, _ command: SegmentCommand) throws {
        let photo = try Photo(path)
        let (mask, labels) =
            command.kind == .people ? try Self.people(photo, command) : try Self.objects(photo, command)
        (self.photo, self.mask, self.labels) = (photo, mask, labels)
        results = Self.results(mask, labels)
    }

    private static func people(_ photo: Photo, _ command: SegmentCommand) throws -> (FloatMap, [UInt8]) {
        let request = VNGeneratePersonSegmentationRequest()
        if let revision = command.options.revision { request.revision = revision }
        request.qualityLevel = (command.quality ?? .accurate).level
        request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
        try photo.perform([request])
        let found = request.results?.first.map { FloatMap($0.pixelBuffer) }
        return (try (found ?? none(photo)).resized(width: photo.width, height: photo.height), [])
    }

    private static func objects(_ photo: Photo, _ command: SegmentCommand) throws -> (FloatMap, [UInt8]) {
        let request: VNImageBasedRequest =
            command.kind == .instances
            ? VNGeneratePersonInstanceMaskRequest() : VNGenerateForegroundInstanceMaskRequest()
        if let revision = command.options.revision { request.revision = revision }
        let handler = photo.handler()
        try handler.perform([request])
        let count = photo.width * photo.height
        guard let found = request.results?.first as? VNInstanceMaskObservation else {
            return (none(photo), [UInt8](repeating: 0, count: count))
        }
        let wanted = found.allInstances.filter { command.only.isEmpty || command.only.contains($0) }
        var labels = [UInt8](repeating: 0, count: count)
        var all = [Float](repeating: 0, count: count)
        for instance in wanted {
            let mask = FloatMap(try found.generateScaledMaskForImage(forInstances: [instance], from: handler))
            for index in all.indices where mask.values[index] > all[index] {
                all[index] = mask.values[index]
                labels[index] = mask.values[index] >= 0.5 ? UInt8(instance) : 0
            }
        }
        return (FloatMap(width: photo.width, height: photo.height, values: all), labels)
    }

    private static func none(_ photo: Photo) -> FloatMap {
        FloatMap(
            width: photo.width, height: photo.height,
            values: [Float](repeating: 0, count: photo.width * photo.height))
    }

    private static func results(_ mask: FloatMap, _ labels: [UInt8]) -> [SegmentResult] {
        var boxes: [Int: (left: Int, top: Int, right: Int, bottom: Int, count: Int)] = [:]
        for y in 0..<mask.height {
            for x in 0..<mask.width where mask[x, y] >= 0.5 {
                let label = labels.isEmpty ? 0 : Int(labels[y * mask.width + x])
                let box = boxes[label] ?? (x, y, x, y, 0)
                boxes[label] = (
                    min(box.left, x), box.top, max(box.right, x), y, box.count + 1
                )
            }
        }
        return boxes.sorted { $0.key < $1.key }.map { label, box in
            SegmentResult(
                instance: labels.isEmpty ? nil : label,
                box: PixelRectangleRecord(
                    x: Double(box.left), y: Double(box.top), width: Double(box.right - box.left + 1),
                    height: Double(box.bottom - box.top + 1)),
                share: (1e4 * Double(box.count) / Double(mask.width * mask.height)).rounded() / 1e4)
        }
    }

    // MARK: - Files

    /// Writes the mask of all people, or the numbers of the objects, as grey values.
    func writeMask(to file: String) throws {
        let raster = try Raster(width: mask.width, height: mask.height, format: .grey8) { target, rowBytes in
            for y in 0..<mask.height {
                let row = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                for x in 0..<mask.width {
                    let index = y * mask.width + x
                    row[x] = labels.isEmpty ? Self.byte(mask.values[index]) : labels[index]
                }
            }
        }
        try OutputFile.write(try raster.encodedPNG(), to: file)
    }

    /// Writes the photo with alpha: colours are not multiplied.
    func writeCutout(to file: String, isCropped: Bool) throws {
        let image = try photo.image()
        let whole = try Raster(width: mask.width, height: mask.height, format: .rgba8) { target, rowBytes in
            image.withUnsafePixels { pixels in
                for y in 0..<mask.height {
                    let from = (pixels + y * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                    let to = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<mask.width {
                        let alpha = Self.byte(mask.values[y * mask.width + x])
                        for channel in 0..<3 { to[4 * x + channel] = alpha == 0 ? 0 : from[4 * x + 2 - channel] }
                        to[4 * x + 3] = alpha
                    }
                }
            }
        }
        let part = isCropped ? extent : nil
        let cut = part.map { whole.cropped(x: $0.x, y: $0.y, width: $0.width, height: $0.height) } ?? whole
        try OutputFile.write(try cut.encodedPNG(), to: file)
    }

    /// The smallest rectangle with all pixels that are not transparent; nil without any.
    private var extent: (x: Int, y: Int, width: Int, height: Int)? {
        var (left, top, right, bottom) = (mask.width, mask.height, -1, -1)
        for y in 0..<mask.height {
            for x in 0..<mask.width where Self.byte(mask[x, y]) > 0 {
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), y)
            }
        }
        return right >= left ? (left, top, right - left + 1, bottom - top + 1) : nil
    }

    /// Writes the photo with another background.
    func write(to file: String, on background: Background) throws {
        let image = try photo.image()
        let behind = try background.pixels(behind: image, mask: mask)
        try Photo.write(try MaskPainter(mask: mask, labels: labels).blended(image, over: behind), to: file)
    }

    /// Writes the photo with the masks in colours, and grey elsewhere.
    func render(to file: String) throws {
        try Photo.write(try MaskPainter(mask: mask, labels: labels).coloured(photo.image()), to: file) { canvas in
            LabelLayout.draw(
                results.compactMap { result in
                    guard let number = result.instance else { return nil }
                    return LabelLayout.Label(
                        text: "\(number)  \(BoxPainter.percent(Float(result.share)))",
                        anchor: CGRect(
                            x: result.box.x ?? 0, y: result.box.y ?? 0, width: result.box.width ?? 0,
                            height: result.box.height ?? 0),
                        colour: .forTarget(number - 1))
                }, size: DrawingScale(canvas).letters, on: canvas)
        }
    }

    private static func byte(_ share: Float) -> UInt8 { UInt8(min(max(share, 0), 1) * 255 + 0.5) }
}
