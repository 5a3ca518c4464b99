import XCTest

@testable import VisionInference

final class DeformableConvolutionTests: XCTestCase {
    private typealias Runner = OperatorRunner

    func testSamplesLieBesideTheirPlaces() throws {
        let picture = try Tensor.counting([1, 1, 3, 3])
        let weights = try Tensor.floats([1, 1, 1, 1], [1, 1, 2, 2])
        var offsets = [Float](repeating: 0, count: 8 * 4)
        let plain: [Float] = try Runner.values(
            DeformableConvolution(), [picture, weights, try Tensor.floats(offsets, [1, 8, 2, 2])], shape: [1, 1, 2, 2])
        XCTAssertEqual(plain, [8, 12, 20, 24])
        // The first sample of the first place goes half a pixel down and a quarter to the right: from 0 to 1.75. That
        // of the last place goes far away, where all is zero.
        offsets[0] = 0.5
        offsets[4] = 0.25
        offsets[3] = -100
        let bias = try Tensor.floats([10])
        let moved: [Float] = try Runner.values(
            DeformableConvolution(), [picture, weights, try Tensor.floats(offsets, [1, 8, 2, 2]), bias])
        assertClose(moved, [19.75, 22, 30, 30])
        let factors = try Tensor.floats([Float](repeating: 0.5, count: 16), [1, 4, 2, 2])
        let halved: [Float] = try Runner.values(
            DeformableConvolution(), [picture, weights, try Tensor.floats(offsets, [1, 8, 2, 2]), nil, factors])
        assertClose(halved, [4.875, 6, 10, 10])
        offsets[5] = .nan
        XCTAssertNoThrow(
            try Runner.run(DeformableConvolution(), [picture, weights, try Tensor.floats(offsets, [1, 8, 2, 2])]))
    }

    func testDamagedParametersAreRefused() throws {
        let picture = try Tensor.counting([1, 1, 3, 3])
        let weights = try Tensor.floats([1, 1, 1, 1], [1, 1, 2, 2])
        let offsets = try Tensor.floats([Float](repeating: 0, count: 32), [1, 8, 2, 2])
        for operation in [
            DeformableConvolution(groups: 0), DeformableConvolution(offsetGroups: 2),
            DeformableConvolution(strides: [0, 1]), DeformableConvolution(dilations: [.max, 1]),
            DeformableConvolution(pads: [0, 0, 0, .max]), DeformableConvolution(strides: [1]),
        ] {
            Runner.assertInvalid(operation, [picture, weights, offsets])
        }
        Runner.assertInvalid(DeformableConvolution(), [picture, weights, try Tensor.floats([0], [1, 1, 1, 1])])
    }
}
