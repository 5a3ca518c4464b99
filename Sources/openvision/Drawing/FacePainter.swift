import Vision

/// Draws faces for inspection: the box with its number, confidence and angles, three axes of the head that start at the
/// nose, and each landmark region in its own colour, with a legend.
struct FacePainter {
    typealias RegionPath = any KeyPath<VNFaceLandmarks2D, VNFaceLandmarkRegion2D?> & Sendable

    /// The regions in the order of the legend. Left and right are the person's.
    static let regions: [(name: String, path: RegionPath, colour: Colour)] = [
        ("contour", \.faceContour, Colour(red: 255, green: 255, blue: 255)),
        ("right brow", \.rightEyebrow, Colour(red: 255, green: 150, blue: 40)),
        ("left brow", \.leftEyebrow, Colour(red: 255, green: 225, blue: 60)),
        ("right eye", \.rightEye, Colour(red: 70, green: 150, blue: 255)),
        ("left eye", \.leftEye, Colour(red: 70, green: 235, blue: 255)),
        ("nose", \.nose, Colour(red: 90, green: 255, blue: 110)),
        ("crest of the nose", \.noseCrest, Colour(red: 20, green: 190, blue: 90)),
        ("median line", \.medianLine, Colour(red: 170, green: 170, blue: 170)),
        ("outer lips", \.outerLips, Colour(red: 255, green: 60, blue: 90)),
        ("inner lips", \.innerLips, Colour(red: 255, green: 150, blue: 190)),
        ("right pupil", \.rightPupil, Colour(red: 255, green: 0, blue: 255)),
        ("left pupil", \.leftPupil, Colour(red: 190, green: 90, blue: 255)),
    ]

    /// The axes of the head: to the image's right, to the top of the head, and out of the face.
    static let axes: [(name: String, colour: Colour)] = [
        ("pose: sideways", Colour(red: 240, green: 70, blue: 70)), ("pose: up", Colour(red: 60, green: 220, blue: 60)),
        ("pose: forwards", Colour(red: 80, green: 120, blue: 255)),
    ]

    private let width: Int
    private let height: Int
    private let scale: DrawingScale

    /// Creates a painter for images of that size.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        scale = DrawingScale(width: width, height: height)
    }

    /// Draws the faces, numbered from 1.
    func draw(_ faces: [VNFaceObservation], on canvas: Canvas) {
        for face in faces {
            if let landmarks = face.landmarks { draw(landmarks, of: face, on: canvas) }
            drawAxes(of: face, on: canvas)
        }
        let boxes = faces.map(box)
        for (index, box) in boxes.enumerated() {
            canvas.stroke(
                box.corners, isClosed: true, width: scale.line, Colour.forTarget(index), halo: scale.halo)
        }
        LabelLayout.draw(
            faces.indices.map {
                LabelLayout.Label(
                    text: Self.caption(of: faces[$0], number: $0 + 1), anchor: boxes[$0], colour: Colour.forTarget($0))
            }, size: scale.letters, on: canvas)
        let regions = Self.regions.filter { region in
            faces.contains { $0.landmarks?[keyPath: region.path] != nil }
        }
        let axes = faces.contains { $0.roll != nil } ? Self.axes : []
        let entries = regions.map { (name: $0.name, colour: $0.colour) } + axes
        if !entries.isEmpty { Legend(entries: entries).draw(avoiding: boxes, on: canvas) }
    }

    /// Returns a caption such as "1  98%  roll -12° yaw 5° pitch 3°  quality 87%", of the values that are known.
    static func caption(of face: VNFaceObservation, number: Int) -> String {
        func degrees(_ name: String, _ angle: NSNumber?) -> String? {
            guard let angle = angle?.doubleValue, angle.isFinite else { return nil }
            return "\(name) \(Int((angle * 180 / .pi).rounded()))°"
        }
        let angles = [degrees("roll", face.roll), degrees("yaw", face.yaw), degrees("pitch", face.pitch)]
        let quality = face.faceCaptureQuality.map { "quality \(BoxPainter.percent($0))" }
        let parts = ["\(number)", BoxPainter.percent(face.confidence), angles.compactMap { $0 }.joined(separator: " ")]
        return (parts + [quality ?? ""]).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func pixel(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x * Double(width), y: (1 - point.y) * Double(height))
    }

    private func box(of face: VNFaceObservation) -> CGRect {
        let corner = pixel(CGPoint(x: face.boundingBox.minX, y: face.boundingBox.maxY))
        return CGRect(
            x: corner.x, y: corner.y, width: face.boundingBox.width * Double(width),
            height: face.boundingBox.height * Double(height))
    }

    // MARK: - The pose of the head

    /// Draws the axes of the head from the tip of the nose, or, where that is not known, from the middle of the box.
    private func drawAxes(of face: VNFaceObservation, on canvas: Canvas) {
        guard let roll = face.roll?.doubleValue else { return }
        let (yaw, pitch) = (face.yaw?.doubleValue ?? 0, face.pitch?.doubleValue ?? 0)
        let box = box(of: face)
        let nose = face.landmarks?.noseCrest.flatMap { points(of: $0).last } ?? CGPoint(x: box.midX, y: box.midY)
        let length = Double(box.height) * 0.4
        // What lies furthest from the camera is drawn first.
        let directions = Self.directions(roll: roll, yaw: yaw, pitch: pitch)
        let order = directions.indices.sorted { directions[$0].z < directions[$1].z }
        for index in order {
            let direction = directions[index]
            let end = CGPoint(x: nose.x + length * direction.x, y: nose.y - length * direction.y)
            canvas.stroke([nose, end], width: 1.5 * scale.line, Self.axes[index].colour, halo: scale.halo)
        }
    }

    /// Returns the directions of the axes of a head: x to the right of the image, y up, z to the camera.
    ///
    /// - Parameters: In radians: roll counter-clockwise, yaw towards the image's right, pitch downwards.
    static func directions(roll: Double, yaw: Double, pitch: Double) -> [SIMD3<Double>] {
        let axes: [SIMD3<Double>] = [
            SIMD3(cos(yaw), 0, -sin(yaw)), SIMD3(sin(yaw) * sin(pitch), cos(pitch), cos(yaw) * sin(pitch)),
            SIMD3(sin(yaw) * cos(pitch), -sin(pitch), cos(yaw) * cos(pitch)),
        ]
        return axes.map { axis in
            SIMD3(axis.x * cos(roll) - axis.y * sin(roll), axis.x * sin(roll) + axis.y * cos(roll), axis.z)
        }
    }

    // MARK: - Landmarks

    private func points(of region: VNFaceLandmarkRegion2D) -> [CGPoint] {
        region.pointsInImage(imageSize: CGSize(width: width, height: height)).map {
            CGPoint(x: $0.x, y: Double(height) - $0.y)
        }
    }

    private func draw(_ landmarks: VNFaceLandmarks2D, of face: VNFaceObservation, on canvas: Canvas) {
        // Lines and dots scale with the face, up to a limit.
        let size = Double(face.boundingBox.height) * Double(height)
        let dot = min(max(size / 110, 1), 2 * scale.line)
        for (_, path, colour) in Self.regions {
            guard let region = landmarks[keyPath: path] else { continue }
            let points = points(of: region)
            if region.pointsClassification != .disconnected {
                // In the constellation of 76 points the last one of the nose is its tip, which is not on the outline.
                let isNoseWithTip = path == \VNFaceLandmarks2D.nose && points.count == 8
                canvas.stroke(
                    isNoseWithTip ? points.dropLast() : points,
                    isClosed: region.pointsClassification == .closedPath, width: max(1, dot * 0.9), colour,
                    halo: dot / 3)
            }
            for point in points { canvas.dot(point, radius: dot, colour) }
        }
    }
}
