import ModelTestSupport
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

final class FacePrintTests: XCTestCase {
    // MARK: - The network's file

    /// A convolution of 1 × 1, an affine layer and a fully connected one, in the form of dlib's files, with other
    /// layers between them.
    private func file(affine: [Float] = [2, 3, 4, 5]) -> [UInt8] {
        let relu: [UInt8] = [1, 0, 1, 5] + Array("relu_".utf8)
        return relu
            + Self.name("con_4") + Self.tensor([0.5, -1, 0.25, 8]) + [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0] + relu
            + Self.name("affine_") + Self.tensor(affine) + relu
            + Self.name("fc_2") + [1, 3, 1, 2] + Self.tensor([1, 2, 3, 4, 5, 6], shape: [2, 3, 1, 1])
    }

    private static func name(_ text: String) -> [UInt8] { [1, UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func tensor(_ values: [Float], shape: [Int]? = nil) -> [UInt8] {
        let extents: [UInt8] = (shape ?? [values.count, 1, 1, 1]).flatMap { [1, UInt8($0)] }
        let bytes: [UInt8] = values.flatMap { value in
            withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }
        return [1, 2] + extents + bytes
    }

    func testLayersAreReadInTheirOrder() throws {
        let layers = try DlibNetworkFile(file()).layers
        XCTAssertEqual(layers.count, 3)
        guard case .convolution(let values, 2, 1, 1, 0) = layers[0], case .affine(let affine) = layers[1],
            case .fullyConnected(let matrix, 2, 3) = layers[2]
        else { return XCTFail("\(layers)") }
        XCTAssertEqual(values, [0.5, -1, 0.25, 8])
        XCTAssertEqual(affine, [2, 3, 4, 5])
        XCTAssertEqual(matrix, [1, 2, 3, 4, 5, 6])
    }

    func testFilesThatEndAnywhereAreErrorsOrHaveFewerLayers() throws {
        let whole = file()
        for count in whole.indices {
            do {
                let layers = try DlibNetworkFile(Array(whole.prefix(count))).layers
                XCTAssertLessThan(layers.count, 3, "\(count)")
            } catch is WeightFileError {}
        }
        // A tensor of more numbers than there are bytes.
        var huge = Self.name("affine_") + [1, 2]
        for _ in 0..<4 { huge += [4, 0xff, 0xff, 0xff, 0x7f] }
        XCTAssertThrowsError(try DlibNetworkFile(huge)) { XCTAssertTrue($0 is WeightFileError) }
    }

    func testOtherNetworksAreRefused() throws {
        XCTAssertThrowsError(try DlibFaceNetwork(file())) { error in
            XCTAssertEqual((error as? WeightFileError)?.kind, .mismatch)
        }
    }

    // MARK: - The network

    /// Every sixteenth number that dlib 20.0.1 gives for this image.
    func testPrintsAreThoseOfTheReference() throws {
        let network = try requireModel { try FacePrintNetwork.shared() }
        let chip = try Raster(width: 150, height: 150, format: .rgb8) { target, rowBytes in
            for y in 0..<150 {
                for x in 0..<150 {
                    let pixel = [x * 3 + y, x + y * 2, x * y / 8].map { UInt8($0 % 256) }
                    for channel in 0..<3 {
                        target.storeBytes(
                            of: pixel[channel], toByteOffset: y * rowBytes + x * 3 + channel, as: UInt8.self)
                    }
                }
            }
        }
        let expected: [Float] = [-0.07054, -0.12923, -0.10409, 0.08861, 0.23552, -0.08806, -0.14574, 0.23555]
        let print = try network.print(of: chip, threads: 1)
        XCTAssertEqual(print.count, FacePrintNetwork.count)
        for (index, value) in expected.enumerated() { XCTAssertEqual(print[16 * index], value, accuracy: 1e-4) }
        XCTAssertEqual(try network.print(of: chip, threads: 2), print)
    }

    // MARK: - The chip

    func testChipsFollowTheFaceInPlaceSizeAndTurn() throws {
        let face = FaceChip.Anchors(
            rightEye: SIMD2(40, 50), leftEye: SIMD2(80, 50), nose: SIMD2(60, 74), rightMouthCorner: SIMD2(47, 90),
            leftMouthCorner: SIMD2(73, 90))
        let patch = try XCTUnwrap(FaceChip.patch(of: face))
        XCTAssertEqual(patch.columns, 150)
        XCTAssertGreaterThan(patch.axis.x, 0.9999)
        XCTAssertEqual(patch.centre.x, 60, accuracy: 0.01)
        for turn in stride(from: -3.0, through: 3, by: 0.7) {
            func moved(_ point: SIMD2<Double>) -> SIMD2<Double> {
                let (c, s) = (2.5 * cos(turn), 2.5 * sin(turn))
                return SIMD2(c * point.x - s * point.y + 300, s * point.x + c * point.y + 100)
            }
            let other = try XCTUnwrap(
                FaceChip.patch(
                    of: FaceChip.Anchors(
                        rightEye: moved(face.rightEye), leftEye: moved(face.leftEye), nose: moved(face.nose),
                        rightMouthCorner: moved(face.rightMouthCorner), leftMouthCorner: moved(face.leftMouthCorner))))
            XCTAssertEqual(other.extent.x, 2.5 * patch.extent.x, accuracy: 1e-6)
            let distance = other.centre - moved(patch.centre)
            XCTAssertLessThan((distance * distance).sum(), 1e-12)
            XCTAssertEqual(other.axis.x, cos(turn), accuracy: 1e-9)
            XCTAssertEqual(other.axis.y, sin(turn), accuracy: 1e-9)
        }
    }

    func testPointsThatAreNoFaceHaveNoChip() {
        for point in [SIMD2(5.0, 5), SIMD2(.nan, 0), SIMD2(.infinity, 0)] {
            XCTAssertNil(
                FaceChip.patch(
                    of: FaceChip.Anchors(
                        rightEye: point, leftEye: point, nose: point, rightMouthCorner: point, leftMouthCorner: point)))
        }
    }
}
