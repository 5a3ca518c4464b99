import Foundation
import Vision
import VisionImage
import VisionPhotos
import VisionRecords

/// An object of a photo: its box, and what it is.
struct PhotoObject: Sendable {
    /// In pixels from the top left.
    let box: PixelRegion
    let confidence: Float
    /// nil where the request finds objects of one kind only.
    let label: String?
}

/// The objects of one photo.
struct PhotoObjects: Sendable {
    let photo: Photo
    let objects: [PhotoObject]

    init(photo: Photo, objects: [PhotoObject]) { (self.photo, self.objects) = (photo, objects) }

    /// Finds objects with a request, and keeps those with at least a confidence.
    ///
    /// - Throws: The error of the request, or of reading a file that is not an image.
    init<Observation: VNDetectedObjectObservation>(
        of path: FilePath, request: VNRequest, minConfidence: Float, as type: Observation.Type,
        label: (Observation) -> String? = { _ in nil }
    ) throws {
        let photo = try Photo(path)
        try photo.perform([request])
        self.photo = photo
        let found = (request.results ?? []).compactMap { $0 as? Observation }
        objects = found.filter { $0.confidence >= minConfidence }.map {
            PhotoObject(box: photo.box(of: $0.boundingBox), confidence: $0.confidence, label: label($0))
        }
    }

    /// Writes the photo with the boxes of the objects.
    func render(to file: String) throws {
        try photo.write(to: file) { draw(on: $0) }
    }

    /// Draws the boxes on a canvas with the photo: a colour for each class, or for each object of a single class.
    func draw(on canvas: Canvas) {
        let classes = Colour.forClasses(objects.compactMap(\.label))
        BoxPainter().draw(
            objects.enumerated().map { index, object in
                BoxPainter.Box(
                    region: object.box, confidence: object.confidence, name: object.label ?? "\(index + 1)",
                    colour: object.label.flatMap { classes[$0] } ?? .forTarget(index))
            }, on: canvas)
    }

    /// Prints the objects, a line for each.
    ///
    /// - Parameters:
    ///   - kind: The name of the command.
    ///   - nothing: The line of a photo without objects.
    func print(_ path: FilePath, kind: String, json: Bool, nothing: String) throws {
        guard !json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: kind, image: photo.reference(path),
                    results: objects.map {
                        ObjectResult(
                            box: $0.box.record, confidence: Decimals.rounded(Double($0.confidence), 4),
                            label: $0.label)
                    }))
        }
        Swift.print(path.printable)
        for object in objects {
            let box = [object.box.x, object.box.y, object.box.width, object.box.height]
            let parts = [
                box.map { Decimals.text($0, 0) }.joined(separator: ","),
                Decimals.text(Double(object.confidence), 3),
            ]
            Swift.print("  " + (parts + (object.label.map { [$0] } ?? [])).joined(separator: "  "))
        }
        if objects.isEmpty { Swift.print("  \(nothing)") }
    }
}

extension Photo {
    /// Converts a normalised box of Vision to pixels from the top left.
    func box(of box: CGRect) -> PixelRegion {
        let (columns, rows) = (Double(width), Double(height))
        return PixelRegion(
            x: Double(box.minX) * columns, y: (1 - Double(box.maxY)) * rows, width: Double(box.width) * columns,
            height: Double(box.height) * rows)
    }
}

extension PixelRegion {
    /// The box for a record.
    var record: PixelRectangleRecord { PixelRectangleRecord(x: x, y: y, width: width, height: height) }
}
