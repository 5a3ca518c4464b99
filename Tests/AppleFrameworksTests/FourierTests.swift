import Accelerate
import XCTest

/// Transforms, arithmetic and conversions of vectors.
final class FourierTests: XCTestCase {
    private func signal(_ count: Int) -> [Float] {
        (0..<count).map { Float(sin(Double($0) * 0.7) + 0.3 * cos(Double($0 * $0) * 0.05)) }
    }

    /// The transform by its definition.
    private func transform(_ values: [Float], _ frequency: Int) -> (real: Double, imaginary: Double) {
        values.enumerated().reduce((0, 0)) { sum, sample in
            let angle = -2 * Double.pi * Double(frequency * sample.offset) / Double(values.count)
            return (sum.0 + Double(sample.element) * cos(angle), sum.1 + Double(sample.element) * sin(angle))
        }
    }

    func testRealTransformsAreTwiceTheTransformAndComeBack() throws {
        for log2n in [1, 2, 3, 6, 9] {
            let count = 1 << log2n
            let values = signal(count)
            // A setup for longer ones serves as well.
            let setup = try XCTUnwrap(vDSP_create_fftsetup(vDSP_Length(log2n + log2n % 2), FFTRadix(kFFTRadix2)))
            defer { vDSP_destroy_fftsetup(setup) }
            var (real, imaginary) = ([Float](repeating: 0, count: count / 2), [Float](repeating: 0, count: count / 2))
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    guard let realp = real.baseAddress, let imagp = imaginary.baseAddress else { return }
                    var split = DSPSplitComplex(realp: realp, imagp: imagp)
                    values.withUnsafeBytes { bytes in
                        vDSP_ctoz(
                            bytes.bindMemory(to: DSPComplex.self).baseAddress!, 2, &split, 1, vDSP_Length(count / 2))
                    }
                    vDSP_fft_zrip(setup, &split, 1, vDSP_Length(log2n), FFTDirection(kFFTDirection_Forward))
                    XCTAssertEqual(Double(realp[0]), 2 * transform(values, 0).real, accuracy: 1e-3)
                    XCTAssertEqual(Double(imagp[0]), 2 * transform(values, count / 2).real, accuracy: 1e-3)
                    for index in 1..<max(1, count / 2) {
                        let wanted = transform(values, index)
                        XCTAssertEqual(Double(realp[index]), 2 * wanted.real, accuracy: 1e-3)
                        XCTAssertEqual(Double(imagp[index]), 2 * wanted.imaginary, accuracy: 1e-3)
                    }
                    vDSP_fft_zrip(setup, &split, 1, vDSP_Length(log2n), FFTDirection(kFFTDirection_Inverse))
                    var back = [DSPComplex](repeating: DSPComplex(), count: count / 2)
                    vDSP_ztoc(&split, 1, &back, 2, vDSP_Length(count / 2))
                    for index in 0..<count / 2 {
                        XCTAssertEqual(back[index].real, Float(2 * count) * values[2 * index], accuracy: 1e-2)
                        XCTAssertEqual(back[index].imag, Float(2 * count) * values[2 * index + 1], accuracy: 1e-2)
                    }
                }
            }
        }
        XCTAssertNil(vDSP_create_fftsetup(40, FFTRadix(kFFTRadix2)))
        XCTAssertNil(vDSP_create_fftsetup(4, FFTRadix(kFFTRadix3)))
    }

    func testComplexTransformsWithStrides() throws {
        let fft = try XCTUnwrap(vDSP_create_fftsetup(4, FFTRadix(FFT_RADIX2)))
        defer { vDSP_destroy_fftsetup(fft) }
        let values = signal(16)
        var (real, imaginary) = ([Float](repeating: 9, count: 32), [Float](repeating: 0, count: 32))
        for index in 0..<16 { real[2 * index] = values[index] }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let realp = real.baseAddress, let imagp = imaginary.baseAddress else { return }
                var split = DSPSplitComplex(realp: realp, imagp: imagp)
                vDSP_fft_zip(fft, &split, 2, 4, FFTDirection(FFT_FORWARD))
            }
        }
        for index in 0..<16 {
            let wanted = transform(values, index)
            XCTAssertEqual(Double(real[2 * index]), wanted.real, accuracy: 1e-4)
            XCTAssertEqual(Double(imaginary[2 * index]), wanted.imaginary, accuracy: 1e-4)
            XCTAssertEqual(real[2 * index + 1], 9)
        }
    }

    func testTheClassTransformsAsTheFunctionDoes() throws {
        let fft = try XCTUnwrap(vDSP.FFT(log2n: 3, radix: .radix2, ofType: DSPSplitComplex.self))
        let values = signal(8)
        var (real, imaginary) = ([0, 2, 4, 6].map { values[$0] }, [1, 3, 5, 7].map { values[$0] })
        var (outReal, outImaginary) = ([Float](repeating: 0, count: 4), [Float](repeating: 0, count: 4))
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                outReal.withUnsafeMutableBufferPointer { outReal in
                    outImaginary.withUnsafeMutableBufferPointer { outImaginary in
                        let input = DSPSplitComplex(realp: real.baseAddress!, imagp: imaginary.baseAddress!)
                        var output = DSPSplitComplex(realp: outReal.baseAddress!, imagp: outImaginary.baseAddress!)
                        fft.forward(input: input, output: &output)
                    }
                }
            }
        }
        XCTAssertEqual(real[1], values[2])
        XCTAssertEqual(Double(outReal[1]), 2 * transform(values, 1).real, accuracy: 1e-4)
        XCTAssertEqual(Double(outImaginary[1]), 2 * transform(values, 1).imaginary, accuracy: 1e-4)
    }

    func testArithmetic() {
        let (a, b): ([Float], [Float]) = ([1, -2, 3, .nan], [4, 5, -6, 1])
        var c = [Float](repeating: 0, count: 3)
        vDSP_vneg(a, 1, &c, 1, 3)
        XCTAssertEqual(c, [-1, 2, -3])
        vDSP_vsma(a, 1, [2], b, 1, &c, 1, 3)
        XCTAssertEqual(c, [6, 1, 0])
        vDSP_vsmsma(a, 1, [2], b, 1, [-1], &c, 1, 3)
        XCTAssertEqual(c, [-2, -9, 12])
        vDSP_vsbm(a, 1, b, 1, [1, 2, 3], 1, &c, 1, 3)
        XCTAssertEqual(c, [-3, -14, 27])
        vDSP_vintb(a, 1, b, 1, [0.5], &c, 1, 3)
        XCTAssertEqual(c, [2.5, 1.5, -1.5])
        vDSP_vthres(a, 1, [1], &c, 1, 3)
        XCTAssertEqual(c, [1, 0, 3])
        vDSP_vthr(a, 1, [2], &c, 1, 3)
        XCTAssertEqual(c, [2, 2, 3])
        vDSP_vramp([1], [0.5], &c, 1, 3)
        XCTAssertEqual(c, [1, 1.5, 2])
        vDSP_vindex(a, [2.9, 0, 1], 1, &c, 1, 3)
        XCTAssertEqual(c, [3, 1, -2])
        vDSP_vgathr(a, [3, 1, 2], 1, &c, 1, 3)
        XCTAssertEqual(c, [3, 1, -2])
        var order: [vDSP_Length] = [0, 1, 2, 3]
        vDSP_vsorti(a, &order, nil, 4, -1)
        XCTAssertEqual(order, [2, 0, 1, 3])
        var one: Float = 0
        vDSP_measqv(a, 1, &one, 3)
        XCTAssertEqual(one, 14 / 3, accuracy: 1e-6)
        var sum = 0.0
        vDSP_svsD([1, -2, 3], 1, &sum, 3)
        XCTAssertEqual(sum, 6)
        var floats = [Float](repeating: 0, count: 2)
        vDSP.convertElements(of: [Int16(-3), 7], to: &floats)
        XCTAssertEqual(floats, [-3, 7])
        var halves = [Float16](repeating: 0, count: 2)
        vDSP.convertElements(of: floats, to: &halves)
        XCTAssertEqual(halves, [-3, 7])
    }
}
