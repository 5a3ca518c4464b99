import VisionFilters
import XCTest

final class GeometryFilterTests: XCTestCase {
    private let picture = Picture.noise(37, 23)

    // MARK: - Blurs

    /// The convolution with the same weights along both axes, one pixel after the other.
    private func convolved(_ weights: [Double], _ x: Int, _ y: Int) -> Pixel {
        let radius = weights.count / 2
        var sum = Pixel.zero
        for row in -radius...radius {
            for column in -radius...radius {
                sum += picture[x + column, y + row] * (weights[row + radius] * weights[column + radius])
            }
        }
        return sum
    }

    func testGaussianBlurIsTheConvolution() {
        for sigma in [0.8, 2.5] {
            let radius = Int((3 * sigma).rounded(.up))
            let values = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
            let weights = values.map { $0 / values.reduce(0, +) }
            let image = picture.image.applyingGaussianBlur(sigma: sigma)
            XCTAssertEqual(
                image.extent,
                CGRect(x: 0, y: 0, width: 37, height: 23).insetBy(dx: -CGFloat(radius), dy: -CGFloat(radius)))
            assertRenders(image, image.extent) { convolved(weights, $0, $1) }
        }
    }

    func testBoxBlurIsTheMean() {
        let cases: [(Double, [Double])] = [(2, [0.2, 0.2, 0.2, 0.2, 0.2]), (1.5, [0.125, 0.25, 0.25, 0.25, 0.125])]
        for (radius, weights) in cases {
            let image = picture.image.applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: radius])
            assertRenders(image, CGRect(x: -3, y: -3, width: 43, height: 29)) { convolved(weights, $0, $1) }
        }
    }

    /// Sizes of images that need blocks of every kind, and repeated edges.
    func testBlursOfClampedImagesRepeatTheEdges() {
        let picture = Picture.noise(150, 40, seed: 8)
        let area = CGRect(x: 0, y: 0, width: 150, height: 40)
        for (name, radius, weights) in [
            ("CIGaussianBlur", 2.0, (-6...6).map { exp(-Double($0 * $0) / 8) }),
            ("CIBoxBlur", 4.0, [Double](repeating: 1, count: 9)),
        ] {
            let sum = weights.reduce(0, +)
            let image = picture.image.clampedToExtent().applyingFilter(name, parameters: [kCIInputRadiusKey: radius])
            let reach = weights.count / 2
            // Along rows first: twice as fast to check as all at once.
            var across = Picture(150, 40) { _, _ in .zero }
            for y in 0..<40 {
                for x in 0..<150 {
                    for (index, weight) in weights.enumerated() {
                        across.pixels[y * 150 + x] += picture[min(max(x + index - reach, 0), 149), y] * (weight / sum)
                    }
                }
            }
            assertRenders(image.cropped(to: area), area.insetBy(dx: -2, dy: -2)) { x, y in
                guard area.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) else { return .zero }
                return weights.enumerated().reduce(Pixel.zero) { total, tap in
                    total + across[x, min(max(y + tap.offset - reach, 0), 39)] * (tap.element / sum)
                }
            }
        }
    }

    func testClampsApplyTheirTransform() {
        let shift = CGAffineTransform(translationX: 3, y: -2)
        let image = picture.image.applyingFilter("CIAffineClamp", parameters: [kCIInputTransformKey: shift])
        XCTAssertTrue(image.extent.isInfinite)
        assertRenders(image, CGRect(x: -5, y: -5, width: 50, height: 30)) { x, y in
            picture[min(max(x - 3, 0), 36), min(max(y + 2, 0), 22)]
        }
    }

    func testStretchesKeepTheCentreAndCropsTheSides() {
        let picture = Picture.noise(40, 20, seed: 2)
        func check(_ size: CGSize, crop: Double, stretch: Double, _ x: @escaping (Double) -> Double) {
            let filter = CIFilter.stretchCrop()
            filter.inputImage = picture.image
            filter.size = CGPoint(x: size.width, y: size.height)
            filter.cropAmount = Float(crop)
            filter.centerStretchAmount = Float(stretch)
            XCTAssertEqual(filter.outputImage?.extent, CGRect(origin: .zero, size: size))
            assertRenders(filter.outputImage, CGRect(origin: .zero, size: size)) { column, row in
                // From -1 to 1, to the kept part.
                let u = x(2 * (Double(column) + 0.5) / Double(size.width) - 1)
                let v = (Double(row) + 0.5) * 20 / Double(size.height)
                return picture.bilinear(min(max((u + 1) * 20, 0.5), 39.5), min(max(v, 0.5), 19.5))
            }
        }
        // Half as wide, relative to the height, as the image.
        check(CGSize(width: 30, height: 30), crop: 1, stretch: 0) { $0 / 2 }
        check(CGSize(width: 30, height: 30), crop: 0, stretch: 1) { $0 }
        check(CGSize(width: 30, height: 30), crop: 0, stretch: 0) { 0.5 * $0 + 0.5 * $0 * $0 * $0 }
        check(CGSize(width: 30, height: 30), crop: 0.5, stretch: 0) { u in
            0.75 * (2.0 / 3 * u + 1.0 / 3 * u * u * u)
        }
        let flat = CIFilter(
            name: "CIStretchCrop", parameters: [kCIInputImageKey: picture.image, "inputSize": CIVector(x: 0, y: 5)])
        XCTAssertNil(flat?.outputImage)
    }

    func testAClampedBlurDoesNotDarkenTheEdges() {
        let flat = Picture(9, 7) { _, _ in Pixel(120, 60, 30, 255) }
        let area = CGRect(x: 0, y: 0, width: 9, height: 7)
        let image = flat.image.clampedToExtent().applyingGaussianBlur(sigma: 4).cropped(to: area)
        XCTAssertEqual(image.extent, area)
        assertRenders(image, area) { _, _ in Pixel(120, 60, 30, 255) }
    }

    func testClampingRepeatsTheEdges() {
        let image = picture.image.clampedToExtent()
        XCTAssertTrue(image.extent.isInfinite)
        assertRenders(image, CGRect(x: -5, y: 15, width: 50, height: 20)) { x, y in
            picture[min(max(x, 0), 36), min(max(y, 0), 22)]
        }
    }

    func testEdgesAreTheGradientAlongTheDiagonals() {
        let image = picture.image.applyingFilter("CIEdges", parameters: [kCIInputIntensityKey: 1.5])
        assertRenders(image, CGRect(x: 1, y: 1, width: 35, height: 21)) { x, y in
            let rising = (picture[x + 1, y + 1] - picture[x - 1, y - 1]) / 255
            let falling = (picture[x - 1, y + 1] - picture[x + 1, y - 1]) / 255
            var result = (rising * rising + falling * falling).squareRoot() * 1.5 * 255
            result.w = 255
            return result
        }
    }

    // MARK: - Scales and transforms

    private func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        return x.magnitude < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
    }

    func testLanczosWeighsThePixelsWithinThreeLobes() {
        for (scale, aspect) in [(0.4, 1.0), (1.0, 0.5), (1.7, 1.2)] {
            let image = picture.image.applyingFilter(
                "CILanczosScaleTransform", parameters: [kCIInputScaleKey: scale, kCIInputAspectRatioKey: aspect])
            let across = scale * aspect
            XCTAssertEqual(image.extent.width, (37 * across).rounded())
            XCTAssertEqual(image.extent.height, (23 * scale).rounded())
            let (wide, high) = (max(1, 1 / across), max(1, 1 / scale))
            assertRenders(image, image.extent) { x, y in
                let (u, v) = ((Double(x) + 0.5) / across, (Double(y) + 0.5) / scale)
                var (sum, total) = (Pixel.zero, 0.0)
                for row in 0..<23 {
                    for column in 0..<37 {
                        let weight =
                            lanczos((Double(column) + 0.5 - u) / wide) * lanczos((Double(row) + 0.5 - v) / high)
                        sum += picture[column, row] * weight
                        total += weight
                    }
                }
                return sum / total
            }
        }
    }

    func testTransformsOfFiltersAreBilinear() {
        let turn = CGAffineTransform(rotationAngle: 0.4).scaledBy(x: 1.3, y: 0.8)
        let inverse = turn.inverted()
        // Of a step, and of pixels.
        for image in [picture.image.applyingFilter("CIColorInvert").applyingFilter("CIColorInvert"), picture.image] {
            let turned = image.applyingFilter("CIAffineTransform", parameters: [kCIInputTransformKey: turn])
            let seen = turned.applyingFilter("CIExposureAdjust")
            XCTAssertEqual(seen.extent, picture.image.extent.applying(turn))
            assertRenders(seen, CGRect(x: 2, y: 6, width: 20, height: 16)) { x, y in
                let point = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(inverse)
                return picture.bilinear(Double(point.x), Double(point.y))
            }
        }
        let moved = picture.image.applyingFilter("CIColorInvert").transformed(
            by: CGAffineTransform(translationX: -40, y: 12))
        XCTAssertEqual(moved.extent, CGRect(x: -40, y: 12, width: 37, height: 23))
        assertRenders(moved, moved.extent) { x, y in
            let pixel = picture[x + 40, y - 12]
            return Pixel(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, 255)
        }
    }

    func testCropsKeepTheirPlace() {
        let rect = CGRect(x: 5, y: 6, width: 10, height: 4)
        let image = picture.image.applyingFilter("CICrop", parameters: ["inputRectangle": CIVector(cgRect: rect)])
        XCTAssertEqual(image.extent, rect)
        assertRenders(image.applyingFilter("CIColorInvert"), CGRect(x: 0, y: 0, width: 20, height: 20)) { x, y in
            guard rect.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) else { return .zero }
            let pixel = picture[x, y]
            return Pixel(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, 255)
        }
    }

    // MARK: - Perspective

    /// The eight numbers of the map of four points to four others, by Gaussian elimination.
    private func projective(_ from: [SIMD2<Double>], _ to: [SIMD2<Double>]) -> (Double, Double) -> SIMD2<Double> {
        var rows: [[Double]] = []
        for (a, b) in zip(from, to) {
            rows.append([a.x, a.y, 1, 0, 0, 0, -a.x * b.x, -a.y * b.x, b.x])
            rows.append([0, 0, 0, a.x, a.y, 1, -a.x * b.y, -a.y * b.y, b.y])
        }
        for column in 0..<8 {
            let pivot = (column..<8).max { rows[$0][column].magnitude < rows[$1][column].magnitude } ?? column
            rows.swapAt(column, pivot)
            for row in 0..<8 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for entry in column..<9 { rows[row][entry] -= factor * rows[column][entry] }
            }
        }
        let h = (0..<8).map { rows[$0][8] / rows[$0][$0] }
        return { x, y in
            let w = h[6] * x + h[7] * y + 1
            return SIMD2((h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w)
        }
    }

    // Top left, top right, bottom right, bottom left.
    private let quad = [SIMD2(6.0, 20.0), SIMD2(31.0, 17.5), SIMD2(34.0, 4.0), SIMD2(3.0, 2.0)]

    private var parameters: [String: Any] {
        let keys = ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"]
        return Dictionary(
            uniqueKeysWithValues: zip(keys, quad).map { ($0, CIVector(x: CGFloat($1.x), y: CGFloat($1.y))) })
    }

    func testCorrectionMakesARectangleOfTheQuadrilateral() {
        let image = picture.image.applyingFilter("CIPerspectiveCorrection", parameters: parameters)
        func distance(_ a: Int, _ b: Int) -> Double { hypot(quad[a].x - quad[b].x, quad[a].y - quad[b].y) }
        let (width, height) = (
            max(distance(0, 1), distance(3, 2)).rounded(), max(distance(0, 3), distance(1, 2)).rounded()
        )
        XCTAssertEqual(image.extent, CGRect(x: 0, y: 0, width: width, height: height))
        let map = projective([SIMD2(0, height), SIMD2(width, height), SIMD2(width, 0), SIMD2(0, 0)], quad)
        assertRenders(image, image.extent) { x, y in
            let point = map(Double(x) + 0.5, Double(y) + 0.5)
            return picture.bilinear(point.x, point.y)
        }
    }

    func testTheTransformIsItsReverse() {
        let image = picture.image.applyingFilter("CIPerspectiveTransform", parameters: parameters)
        XCTAssertEqual(image.extent, CGRect(x: 3, y: 2, width: 31, height: 18))
        let map = projective(quad, [SIMD2(0, 23), SIMD2(37, 23), SIMD2(37, 0), SIMD2(0, 0)])
        assertRenders(image, image.extent.integral) { x, y in
            let point = map(Double(x) + 0.5, Double(y) + 0.5)
            guard (0...37).contains(point.x), (0...23).contains(point.y) else { return .zero }
            return picture.bilinear(point.x, point.y)
        }
    }

    func testTheExtentStandsForTheWholeImage() {
        var parameters = parameters
        parameters[kCIInputExtentKey] = CIVector(cgRect: CGRect(x: 5, y: 3, width: 20, height: 12))
        let image = picture.image.applyingFilter("CIPerspectiveTransformWithExtent", parameters: parameters)
        let map = projective(quad, [SIMD2(5, 15), SIMD2(25, 15), SIMD2(25, 3), SIMD2(5, 3)])
        assertRenders(image, image.extent.integral) { x, y in
            let point = map(Double(x) + 0.5, Double(y) + 0.5)
            guard (5...25).contains(point.x), (3...15).contains(point.y) else { return .zero }
            return picture.bilinear(point.x, point.y)
        }
    }

    func testWidePerspectivesAreBilinear() {
        let picture = Picture.noise(300, 40, seed: 3)
        let quad = [SIMD2(10.0, 36.0), SIMD2(280.0, 39.0), SIMD2(295.0, 3.0), SIMD2(4.0, 1.0)]
        let keys = ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"]
        let corners: [String: CIVector] = Dictionary(
            uniqueKeysWithValues: zip(keys, quad.map { CIVector(x: CGFloat($0.x), y: CGFloat($0.y)) }))
        let image = picture.image.applyingFilter("CIPerspectiveCorrection", parameters: corners)
        let (width, height) = (Double(image.extent.width), Double(image.extent.height))
        let map = projective([SIMD2(0, height), SIMD2(width, height), SIMD2(width, 0), SIMD2(0, 0)], quad)
        assertRenders(image, image.extent) { x, y in
            let point = map(Double(x) + 0.5, Double(y) + 0.5)
            return picture.bilinear(point.x, point.y)
        }
    }

    func testQuadrilateralsThatAreNoneMakeNoImage() {
        for corner in [
            CIVector(x: 20, y: 10), CIVector(x: .nan, y: 0), CIVector(x: 1e30, y: 4), CIVector(x: 500, y: 500),
        ] {
            var parameters = parameters
            parameters["inputTopLeft"] = corner
            let filter = CIFilter(name: "CIPerspectiveCorrection", parameters: parameters)
            filter?.setValue(picture.image, forKey: kCIInputImageKey)
            XCTAssertNil(filter?.outputImage, "\(corner)")
        }
    }
}
