import Vision

/// Draws faces for inspection: the box with its number, confidence and angles, lines to the top of the head and in the
/// direction of the nose, and each landmark region in its own colour, with a legend.
struct FacePainter {
    typealias RegionPath = any KeyPath<VNFaceLandmarks2D, VNFaceLandmarkRegion2D?> & Sendable

    /// The regions in the order of the legend.
    static let regions: [(name: String, path: RegionPath, colour: Colour)] = [
        ("CONTOUR", \.faceContour, Colour(red: 255, green: 255, blue: 255)),
        ("RIGHT BROW", \.rightEyebrow, Colour(red: 255, green: 150, blue: 40)),
        ("LEFT BROW", \.leftEyebrow, Colour(red: 255, green: 225, blue: 60)),
        ("RIGHT EYE", \.rightEye, Colour(red: 70, green: 150, blue: 255)),
        ("LEFT EYE", \.leftEye, Colour(red: 70, green: 235, blue: 255)),
        ("NOSE", \.nose, Colour(red: 90, green: 255, blue: 110)),
        ("CREST", \.noseCrest, Colour(red: 20, green: 190, blue: 90)),
        ("MEDIAN", \.medianLine, Colour(red: 170, green: 170, blue: 170)),
        ("OUTER LIPS", \.outerLips, Colour(red: 255, green: 60, blue: 90)),
        ("INNER LIPS", \.innerLips, Colour(red: 255, green: 150, blue: 190)),
        ("RIGHT PUPIL", \.rightPupil, Colour(red: 255, green: 0, blue: 255)),
        ("LEFT PUPIL", \.leftPupil, Colour(red: 190, green: 90, blue: 255)),
    ]

    private let width: Int
    private let height: Int
    /// The thickness of lines in pixels.
    private let thickness: Int
    private let letters: Int

    /// Creates a painter for images of that size.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        thickness = max(1, min(width, height) / 500)
        letters = max(1, min(width, height) / 400)
    }

    /// Draws the faces, numbered from 1.
    func draw(_ faces: [VNFaceObservation], on canvas: Canvas) {
        for (index, face) in faces.enumerated() {
            if let landmarks = face.landmarks { draw(landmarks, of: face, on: canvas) }
            drawDirection(of: face, on: canvas)
            drawBox(of: face, number: index + 1, on: canvas)
        }
        if faces.contains(where: { $0.landmarks != nil }) { drawLegend(on: canvas) }
    }

    /// Returns a caption such as "1 98% R-12 Y5 P3 Q87", of the values that are known.
    static func caption(of face: VNFaceObservation, number: Int) -> String {
        func degrees(_ letter: String, _ angle: NSNumber?) -> [String] {
            guard let angle = angle?.doubleValue, angle.isFinite else { return [] }
            return ["\(letter)\(Int((angle * 180 / .pi).rounded()))"]
        }
        let quality = face.faceCaptureQuality.map { ["Q\(Int(($0 * 100).rounded()))"] } ?? []
        return
            (["\(number)", "\(Int((face.confidence * 100).rounded()))%"] + degrees("R", face.roll)
            + degrees("Y", face.yaw) + degrees("P", face.pitch) + quality).joined(separator: " ")
    }

    private func pixel(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x * Double(width), y: (1 - point.y) * Double(height))
    }

    private func drawBox(of face: VNFaceObservation, number: Int, on canvas: Canvas) {
        let box = face.boundingBox
        let low = pixel(CGPoint(x: box.minX, y: box.maxY))
        let high = pixel(CGPoint(x: box.maxX, y: box.minY))
        let colour = Colour.forTarget(number - 1)
        let corners = [low, CGPoint(x: high.x, y: low.y), high, CGPoint(x: low.x, y: high.y)]
        canvas.draw(corners, isClosed: true, thickness: thickness + 1, colour)
        let text = Self.caption(of: face, number: number)
        let (length, tag) = (
            BitmapFont.width(of: text, scale: letters) + 4 * letters, (BitmapFont.height + 4) * letters
        )
        guard low.x.isFinite, low.y.isFinite, abs(low.x) < 1e6, abs(low.y) < 1e6 else { return }
        // Above the box if it fits there, else inside it; never beyond the sides of the image.
        let x = max(0, min(Int(low.x), width - length))
        let y = Int(low.y) >= tag ? Int(low.y) - tag : max(0, Int(low.y))
        canvas.fill(PixelRectangle(x: x, y: y, width: length, height: tag), colour)
        BitmapFont.draw(text, x: x + 2 * letters, y: y + 2 * letters, scale: letters, .black, on: canvas)
    }

    /// Draws two lines from the middle of the box: to the top of the head, and in the direction of the nose.
    private func drawDirection(of face: VNFaceObservation, on canvas: Canvas) {
        guard let roll = face.roll?.doubleValue else { return }
        let box = face.boundingBox
        let middle = pixel(CGPoint(x: box.midX, y: box.midY))
        let length = Double(box.height) * Double(height) * 0.5
        let (right, up) = (CGPoint(x: cos(roll), y: -sin(roll)), CGPoint(x: -sin(roll), y: -cos(roll)))
        func end(_ across: Double, _ along: Double) -> CGPoint {
            CGPoint(
                x: middle.x + length * (across * right.x + along * up.x),
                y: middle.y + length * (across * right.y + along * up.y))
        }
        canvas.draw([middle, end(0, 1)], isClosed: false, thickness: thickness, Colour(red: 60, green: 220, blue: 60))
        let (yaw, pitch) = (face.yaw?.doubleValue ?? 0, face.pitch?.doubleValue ?? 0)
        canvas.draw(
            [middle, end(sin(yaw) * cos(pitch), -sin(pitch))], isClosed: false, thickness: thickness,
            Colour(red: 255, green: 60, blue: 60))
    }

    private func draw(_ landmarks: VNFaceLandmarks2D, of face: VNFaceObservation, on canvas: Canvas) {
        let size = CGSize(width: width, height: height)
        // The dots scale with the face, up to a limit.
        let dot = max(thickness, min(Int(face.boundingBox.height * Double(height) / 60), 4 * thickness))
        for (_, path, colour) in Self.regions {
            guard let region = landmarks[keyPath: path] else { continue }
            let points = region.pointsInImage(imageSize: size).map { CGPoint(x: $0.x, y: Double(height) - $0.y) }
            if region.pointsClassification != .disconnected {
                canvas.draw(
                    points, isClosed: region.pointsClassification == .closedPath, thickness: thickness, colour)
            }
            for point in points { canvas.dot(point, side: dot, colour) }
        }
    }

    private func drawLegend(on canvas: Canvas) {
        let row = (BitmapFont.height + 3) * letters
        let longest = Self.regions.map { BitmapFont.width(of: $0.name, scale: letters) }.max() ?? 0
        let (space, top) = (3 * letters, height - Self.regions.count * row - 3 * letters)
        canvas.fill(
            PixelRectangle(x: 0, y: top - space, width: longest + row + 3 * space, height: height - top + space), .black
        )
        for (index, region) in Self.regions.enumerated() {
            let y = top + index * row
            canvas.fill(
                PixelRectangle(x: space, y: y, width: BitmapFont.height * letters, height: BitmapFont.height * letters),
                region.colour)
            BitmapFont.draw(region.name, x: row + 2 * space, y: y, scale: letters, .white, on: canvas)
        }
    }
}

extension Canvas {
    /// Draws a polyline through the points.
    func draw(_ points: [CGPoint], isClosed: Bool, thickness: Int, _ colour: Colour) {
        guard let first = points.first else { return }
        for (from, to) in zip(points, points.dropFirst() + (isClosed ? [first] : [])) {
            line(from: from, to: to, thickness: thickness, colour)
        }
    }

    /// Draws a straight line, unless it is not finite or longer than any image.
    private func line(from: CGPoint, to: CGPoint, thickness: Int, _ colour: Colour) {
        guard [from.x, from.y, to.x, to.y].allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return }
        let steps = max(1, Int(max(abs(to.x - from.x), abs(to.y - from.y)).rounded(.up)))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            dot(
                CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share), side: thickness,
                colour)
        }
    }

    /// Draws a square centred on a point.
    func dot(_ point: CGPoint, side: Int, _ colour: Colour) {
        guard abs(point.x) < 1e6, abs(point.y) < 1e6 else { return }
        let half = Double(side) / 2
        fill(
            PixelRectangle(
                x: Int((point.x - half).rounded()), y: Int((point.y - half).rounded()), width: side, height: side),
            colour)
    }
}
