import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

/// What a model says about a photo.
struct ModelOutcome: Sendable {
    /// An output that can be drawn.
    enum Picture: @unchecked Sendable {
        // Unchecked: the buffer of a result is only read.
        case image(CVPixelBuffer)
        case heat(FloatMap)
        case classes(ClassMap, [(number: Int, name: String, share: Double)])
        case points([Keypoints])
    }

    let photo: Photo
    let image: MediaReference
    /// The part of the photo that the model saw.
    let field: ModelField
    var records: [RunModelCommand.Record] = []
    var hasBoxes = false
    var pictures: [Picture] = []

    /// Classes that cover less of a photo are not in its drawing.
    private static let leastShare = 0.001

    init(photo: Photo, image: MediaReference, field: ModelField) {
        (self.photo, self.image, self.field) = (photo, image, field)
    }

    /// Writes the photo with the labels, boxes, masks, points or heat map. An output that is a colour image is written
    /// instead of the photo.
    ///
    /// - Throws: `VideoError` when no output can be drawn, or the file cannot be written.
    func render(to file: String) throws {
        switch pictures.first {
        case .image(let buffer) where CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA:
            try ImageFile.write(buffer, to: file)
        case .image(let buffer):
            try drawHeat(try Self.grey(buffer), to: file)
        case .heat(let map):
            try drawHeat(map, to: file)
        case .classes(let map, let shares):
            try draw(map, shares, to: file)
        case .points(let objects):
            try photo.write(to: file) { canvas in
                if hasBoxes { drawBoxes(on: canvas) }
                KeypointPainter.draw(objects.map { $0.points.map { (point(of: $0), $0.confidence) } }, on: canvas)
            }
        case nil:
            guard records.allSatisfy({ $0.label != nil }) else {
                throw VideoError(
                    kind: .unsupported, path: file,
                    reason: "the outputs of this model are numbers without a place in the image, which cannot be drawn")
            }
            try photo.write(to: file) { hasBoxes ? drawBoxes(on: $0) : drawLabels(on: $0) }
        }
    }

    /// Returns where a point is in the photo, in pixels.
    func point(of point: Keypoints.Point) -> CGPoint {
        let place = field.image(x: point.x, y: point.y)
        return CGPoint(x: place.x * Double(photo.width), y: place.y * Double(photo.height))
    }

    private func drawBoxes(on canvas: Canvas) {
        let colours = Colour.forClasses(records.compactMap(\.label))
        BoxPainter().draw(
            records.compactMap { record in
                guard let label = record.label, let box = record.box else { return nil }
                return BoxPainter.Box(
                    region: PixelRegion(
                        x: box.x ?? .nan, y: box.y ?? .nan, width: box.width ?? .nan, height: box.height ?? .nan),
                    confidence: Float(record.confidence ?? 0), name: record.name ?? label,
                    colour: colours[label] ?? .white)
            }, on: canvas)
    }

    private func drawLabels(on canvas: Canvas) {
        let colours = Colour.forClasses(records.compactMap(\.label))
        Legend(
            entries: records.map { record in
                let label = record.label ?? ""
                return (
                    "\(record.name ?? label) \(BoxPainter.percent(Float(record.confidence ?? 0)))",
                    colours[label] ?? .white
                )
            }
        ).draw(avoiding: [], on: canvas)
    }

    private func drawHeat(_ map: FloatMap, to file: String) throws {
        // As the network saw it, in the coordinates of the photo.
        let (columns, rows) = (min(photo.width, 512), min(photo.height, 512))
        let placed = FloatMap(
            width: columns, height: rows,
            values: (0..<columns * rows).map { index in
                let (x, y) = (Double(index % columns) + 0.5, Double(index / columns) + 0.5)
                return field.input(x: x / Double(columns), y: y / Double(rows)).map { map.value(x: $0.x, y: $0.y) } ?? 0
            })
        try Photo.write(try HeatMap.drawn(placed, over: photo.image()), to: file) { canvas in
            Legend(entries: HeatMap.legend).draw(avoiding: [], on: canvas)
        }
    }

    private func draw(
        _ map: ClassMap, _ shares: [(number: Int, name: String, share: Double)], to file: String
    ) throws {
        let shown = shares.filter { $0.share >= Self.leastShare }
        // The first class of a segmentation is its background, unless it has a name that says otherwise.
        func isBackground(_ number: Int, _ name: String) -> Bool {
            ["background", "_background_", "__background__", "bg", "other"].contains(name.lowercased())
                || (number == 0 && name == "class 0")
        }
        let objects = shown.filter { !isBackground($0.number, $0.name) }
        let colours = Colour.forClasses(objects.map(\.name))
        var indices: [Int: UInt8] = [:]
        for object in objects {
            indices[object.number] = colours[object.name].flatMap { Colour.palette.firstIndex(of: $0) }.map {
                UInt8($0 + 1)
            }
        }
        let pixels = map.pixels(width: photo.width, height: photo.height, field, shown: shown.map(\.number))
        let labels = pixels.map { $0.flatMap { indices[Int($0)] } ?? 0 }
        let mask = FloatMap(width: photo.width, height: photo.height, values: labels.map { $0 > 0 ? 1 : 0 })
        let drawn = try MaskPainter(mask: mask, labels: labels).coloured(photo.image())
        try Photo.write(drawn, to: file) { canvas in
            Legend(
                entries: objects.map { ("\($0.name) \(Decimals.text(100 * $0.share, 1))%", colours[$0.name] ?? .white) }
            ).draw(avoiding: [], on: canvas)
        }
    }

    /// Returns the values of a grey image, from 0 to 1 or as they are.
    private static func grey(_ buffer: CVPixelBuffer) throws -> FloatMap {
        guard CVPixelBufferGetPixelFormatType(buffer) != kCVPixelFormatType_OneComponent32Float else {
            return FloatMap(buffer)
        }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let raster = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .grey8))
        let values = raster.withUnsafePixels { pixels in
            (0..<width * height).map { index in
                Float(pixels.load(fromByteOffset: index / width * raster.rowBytes + index % width, as: UInt8.self))
                    / 255
            }
        }
        return FloatMap(width: width, height: height, values: values)
    }
}
