import Foundation
import ModelTestSupport
import Vision
import VisionExtras
import VisionVideo
import XCTest

@testable import openvision

/// Draws one generated input of each kind and compares it with a reference: the mean colours of 16 × 12 fields. Another
/// version of the font, or of the smoothing of edges, changes these little; a thing at another place, much.
final class RenderingTests: XCTestCase {
    private static let (columns, rows) = (16, 12)
    /// By how much a component of a field's colour may differ.
    private static let tolerance = 22

    /// Paints on an image with a dark and a light half.
    private func painted(width: Int = 320, height: Int = 240, _ paint: (Canvas) throws -> Void) throws -> CVPixelBuffer
    {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(
                PixelRectangle(x: 0, y: 0, width: width / 2, height: height), Colour(red: 40, green: 44, blue: 52))
            canvas.fill(
                PixelRectangle(x: width / 2, y: 0, width: width - width / 2, height: height),
                Colour(red: 228, green: 226, blue: 218))
            try paint(canvas)
        }
        return buffer
    }

    /// The mean colours of the fields, row by row.
    private func fields(_ buffer: CVPixelBuffer) throws -> [UInt8] {
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        var result: [UInt8] = []
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                var (sum, count) = (SIMD3<Int>.zero, 0)
                for y in row * height / Self.rows..<(row + 1) * height / Self.rows {
                    for x in column * width / Self.columns..<(column + 1) * width / Self.columns {
                        let colour = try pixel(buffer, x, y)
                        sum &+= SIMD3(Int(colour.red), Int(colour.green), Int(colour.blue))
                        count += 1
                    }
                }
                result += [sum.x, sum.y, sum.z].map { UInt8($0 / max(count, 1)) }
            }
        }
        return result
    }

    private func check(_ kind: String, _ buffer: CVPixelBuffer) throws {
        // To look at them: OPENVISION_DRAWINGS=folder.
        if let folder = ProcessInfo.processInfo.environment["OPENVISION_DRAWINGS"] {
            try ImageFile.write(buffer, to: "\(folder)/\(kind).png")
        }
        let found = try fields(buffer)
        let wanted = RenderingReferences.fields[kind].flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } ?? []
        let isSame =
            found.count == wanted.count
            && zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= Self.tolerance }
        XCTAssertTrue(isSame, "\"\(kind)\": \"\(Data(found).base64EncodedString())\",")
    }

    func testBoxes() throws {
        try check(
            "boxes",
            try painted { canvas in
                BoxPainter().draw(
                    [
                        .init(
                            region: PixelRegion(x: 30, y: 60, width: 120, height: 90), confidence: 0.93, name: "dog",
                            colour: .palette[0]),
                        .init(
                            region: PixelRegion(x: 120, y: 90, width: 150, height: 120), confidence: 0.3, name: "cat",
                            colour: .palette[1]),
                        .init(
                            region: PixelRegion(x: 120, y: 90, width: 60, height: 60), confidence: 0.7, name: "bird",
                            colour: .palette[2]),
                    ], on: canvas)
            })
    }

    func testQuads() throws {
        let quad = try XCTUnwrap(PixelQuad("60,40,270,60,250,200,40,180"))
        try check(
            "quads",
            try painted {
                QuadPainter().draw(
                    [.init(quad: quad, confidence: 0.9, label: "qr: https://a.example", colour: .palette[3])], on: $0)
            })
    }

    func testSkeletons() throws {
        func joints<Joint: Hashable>(_ names: [(joint: Joint, name: String)]) -> SkeletonPainter<Joint>.Joints {
            Dictionary(
                uniqueKeysWithValues: names.enumerated().map { index, name in
                    let angle = Double(index) * 2.4
                    let point = CGPoint(
                        x: 160 + 6 * Double(index) * cos(angle), y: 120 + 5 * Double(index) * sin(angle))
                    return (name.joint, (point, 0.9))
                })
        }
        let body = joints(VNHumanBodyPoseObservation.JointName.names)
        try check("body", try painted { SkeletonPainter.body.draw([body], on: $0) })
        let hand = joints(VNHumanHandPoseObservation.JointName.names)
        try check("hand", try painted { SkeletonPainter.hand.draw([hand], on: $0) })
    }

    func testFaces() throws {
        let face = try DrawnLandmarks.face(box: CGRect(x: 0.3, y: 0.2, width: 0.4, height: 0.55))
        try check(
            "face", try painted(width: 640, height: 480) { FacePainter(width: 640, height: 480).draw([face], on: $0) })
    }

    func testTheAxesOfAHeadAreAtRightAngles() {
        for (roll, yaw, pitch) in [(0.0, 0.0, 0.0), (0.4, -0.7, 0.3), (-1.2, 0.5, -0.6)] {
            let axes = FacePainter.directions(roll: roll, yaw: yaw, pitch: pitch)
            for (index, axis) in axes.enumerated() {
                XCTAssertEqual((axis * axis).sum(), 1, accuracy: 1e-12)
                for other in axes[..<index] { XCTAssertEqual((axis * other).sum(), 0, accuracy: 1e-12) }
            }
        }
        // A head that turns to the image's right and downwards looks there.
        let nose = FacePainter.directions(roll: 0, yaw: 0.5, pitch: 0.4)[2]
        XCTAssertGreaterThan(nose.x, 0.3)
        XCTAssertLessThan(nose.y, -0.3)
        // Rolled counter-clockwise by a right angle, the top of the head points to the left.
        XCTAssertEqual(FacePainter.directions(roll: .pi / 2, yaw: 0, pitch: 0)[1].x, -1, accuracy: 1e-12)
    }

    func testMasksAndHeatMaps() throws {
        let buffer = try painted { _ in }
        let image = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(region: PixelRegion(width: 320, height: 240), width: 320, height: 240, format: .bgra8))
        func isInside(_ index: Int, _ x: Int, _ y: Int) -> Bool {
            let (dx, dy) = (index % 320 - x, index / 320 - y)
            return dx * dx + dy * dy < 2500
        }
        let labels = (0..<320 * 240).map { UInt8(isInside($0, 90, 90) ? 1 : isInside($0, 220, 140) ? 2 : 0) }
        let mask = FloatMap(width: 320, height: 240, values: labels.map { $0 > 0 ? 1 : 0 })
        let masks = try MaskPainter(mask: mask, labels: labels).coloured(image)
        try check("masks", try painted { $0.draw(masks, x: 0, y: 0) })
        let values = (0..<32 * 24).map { index -> Float in
            let distance = abs(index % 32 - 20) + abs(index / 32 - 10)
            return max(0, 1 - Float(distance) / 14)
        }
        let map = FloatMap(width: 32, height: 24, values: values)
        let heat = try HeatMap.drawn(map, over: image)
        try check(
            "heat",
            try painted { canvas in
                canvas.draw(heat, x: 0, y: 0)
                Legend(entries: HeatMap.legend).draw(
                    avoiding: [CGRect(x: 0, y: 120, width: 150, height: 120)], on: canvas)
            })
    }

    func testMatricesAndSheets() throws {
        let labels = ["Bracket, left", "gear-12", "Ö-Ring"]
        let matrix = try ConfusionMatrixImage(labels: labels, counts: [[9, 1, 0], [0, 12, 3], [0, 0, 7]]).render()
        try check("matrix", matrix)
        let entries = (0..<5).map { index in
            ContactSheet.Entry(name: "photo-\(index) of a rather long series of photos.jpg", caption: "\(index): 0.5")
        }
        try check("sheet", try ContactSheet().render(entries))
    }
}
