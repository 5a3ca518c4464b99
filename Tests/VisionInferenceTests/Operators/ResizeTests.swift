import XCTest

@testable import VisionInference

/// Numbers are worked out by hand from ONNX's formulas, which the names of the cases refer to.
final class ResizeTests: XCTestCase {
    private typealias Runner = OperatorRunner

    private func resize(_ operation: Resize, _ values: [Float], scale: Float? = nil, size: Int64? = nil) throws
        -> [Float]
    {
        try Runner.values(
            operation,
            [
                try Tensor.floats(values), nil, try scale.map { try Tensor.floats([$0]) },
                try size.map { try Tensor.ints([$0]) },
            ])
    }

    func testLinesBetweenElements() throws {
        let line: [Float] = [1, 2, 3, 4]
        assertClose(
            try resize(Resize(mode: .linear), line, scale: 2), [1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4])
        assertClose(
            try resize(Resize(mode: .linear, coordinates: .alignCorners), line, size: 7), [1, 1.5, 2, 2.5, 3, 3.5, 4])
        assertClose(
            try resize(Resize(mode: .linear, coordinates: .asymmetric), line, scale: 2),
            [1, 1.5, 2, 2.5, 3, 3.5, 4, 4])
        assertClose(try resize(Resize(mode: .linear, coordinates: .pytorchHalfPixel), line, size: 1), [1])
        assertClose(try resize(Resize(mode: .linear), line, size: 1), [2.5])
        // Two samples of a triangle over two elements each side: weights 1, 3, 3, 1 of 8, cut at the ends to their
        // share.
        assertClose(
            try resize(Resize(mode: .linear, antialias: true), line, size: 2),
            [(1 * 1 + 3 * 1 + 3 * 2 + 3) / 8, (2 + 3 * 3 + 3 * 4 + 4) / 8])
        assertClose(
            try resize(Resize(mode: .linear, antialias: true, excludesOutside: true), line, size: 2),
            [(3 * 1 + 3 * 2 + 3) / 7, (2 + 3 * 3 + 3 * 4) / 7])
    }

    func testTheNearestElement() throws {
        let line: [Float] = [1, 2, 3, 4]
        // Places 0.5 and 2.5 lie between two.
        XCTAssertEqual(try resize(Resize(mode: .nearest(.roundPreferFloor)), line, size: 2), [1, 3])
        XCTAssertEqual(try resize(Resize(mode: .nearest(.roundPreferCeil)), line, size: 2), [2, 4])
        XCTAssertEqual(try resize(Resize(mode: .nearest(.floor)), line, size: 2), [1, 3])
        XCTAssertEqual(try resize(Resize(mode: .nearest(.ceil)), line, size: 2), [2, 4])
        XCTAssertEqual(
            try resize(Resize(mode: .nearest(.floor), coordinates: .asymmetric), line, scale: 1.5), [1, 1, 2, 3, 3, 4])
        XCTAssertEqual(
            try Runner.values(
                Resize(mode: .nearest(.floor), coordinates: .asymmetric),
                [try Tensor([UInt8(7), 9]), nil, try Tensor.floats([2])]), [7, 7, 9, 9] as [UInt8])
    }

    func testCubicCurvesPassThroughElements() throws {
        let line: [Float] = [3, 1, 4, 1, 5]
        assertClose(
            try resize(Resize(mode: .cubic(a: -0.75), coordinates: .alignCorners), line, size: 9).enumerated()
                .filter { $0.offset % 2 == 0 }.map(\.element), line, 1e-5)
        // Half-way, with -0.5: weights -1, 9, 9, -1 of 16.
        assertClose(
            try resize(Resize(mode: .cubic(a: -0.5), coordinates: .alignCorners), line, size: 9).filter { _ in true }[
                3...3
            ]
            .map { $0 }, [(-3 + 9 + 36 - 1) / 16], 1e-5)
    }

    func testRegionsAreCutOut() throws {
        let line: [Float] = [0, 1, 2, 3, 4]
        let operation = Resize(mode: .linear, coordinates: .tfCropAndResize, extrapolationValue: 10)
        let region = try Tensor.floats([0.5, 1.25])
        assertClose(
            try Runner.values(operation, [try Tensor.floats(line), region, nil, try Tensor.ints([4])]),
            [2, 3, 4, 10])
    }

    func testAspectPoliciesAndAxes() throws {
        let x = try Tensor.counting([1, 2, 4])
        func shape(_ policy: Resize.AspectPolicy, _ axes: [Int]?) throws -> Shape {
            let sizes = try axes == nil ? Tensor.ints([1, 8, 8]) : Tensor.ints([8, 8])
            return try Runner.run(
                Resize(mode: .nearest(.floor), aspectPolicy: policy, axes: axes), [x, nil, nil, sizes])[0].shape
        }
        XCTAssertEqual(try shape(.stretch, nil), [1, 8, 8])
        XCTAssertEqual(try shape(.notLarger, [1, 2]), [1, 4, 8])
        XCTAssertEqual(try shape(.notSmaller, [1, -1]), [1, 8, 16])
    }

    func testDamagedParametersAreRefused() throws {
        let x = try Tensor.floats([1, 2])
        for scale: Float in [0, -1, .nan, .infinity, 1e30] {
            Runner.assertInvalid(Resize(mode: .linear), [x, nil, try Tensor.floats([scale])])
        }
        for sizes: [Int64] in [[-1], [1 << 40], [1, 1]] {
            Runner.assertInvalid(Resize(mode: .linear), [x, nil, nil, try Tensor.ints(sizes)])
        }
        Runner.assertInvalid(Resize(mode: .linear), [x])
        Runner.assertInvalid(Resize(mode: .linear, axes: [1]), [x, nil, nil, try Tensor.ints([2])])
        Runner.assertInvalid(Resize(mode: .linear), [try Tensor.floats([]), nil, nil, try Tensor.ints([2])])
        Runner.assertInvalid(
            Resize(mode: .linear, coordinates: .tfCropAndResize),
            [x, try Tensor.floats([.nan, 1]), nil, try Tensor.ints([2])])
    }
}
