import Foundation

// The fast Fourier transform of vDSP: lengths that are powers of two, real and imaginary parts apart.

/// A complex number.
public struct DSPComplex: Hashable, Sendable {
    /// The real part.
    public var real: Float
    /// The imaginary part.
    public var imag: Float

    /// Zero.
    public init() { self.init(real: 0, imag: 0) }

    /// Creates a number from its parts.
    public init(real: Float, imag: Float) { (self.real, self.imag) = (real, imag) }
}

/// A vector of complex numbers, the real and the imaginary parts in memory of the caller.
public struct DSPSplitComplex {
    /// The real parts.
    public var realp: UnsafeMutablePointer<Float>
    /// The imaginary parts.
    public var imagp: UnsafeMutablePointer<Float>

    /// Creates a vector of the addresses of its parts.
    public init(realp: UnsafeMutablePointer<Float>, imagp: UnsafeMutablePointer<Float>) {
        (self.realp, self.imagp) = (realp, imagp)
    }
}

/// The direction of a transform.
public typealias FFTDirection = Int32
/// The kind of the steps of a transform, which has no effect.
public typealias FFTRadix = Int32
/// What transforms share.
public typealias FFTSetup = OpaquePointer

/// Steps of two.
public let kFFTRadix2 = 0
/// Steps of three: there is no such transform here.
public let kFFTRadix3 = 1
/// Steps of five: there is no such transform here.
public let kFFTRadix5 = 2
/// To frequencies.
public let kFFTDirection_Forward = 1
/// From frequencies.
public let kFFTDirection_Inverse = -1
/// Steps of two.
public let FFT_RADIX2 = 0
/// To frequencies.
public let FFT_FORWARD = 1
/// From frequencies.
public let FFT_INVERSE = -1

/// The roots of unity of the longest transform.
private final class FourierTables: Sendable {
    let log2n: Int
    /// exp(-2 π i k / n) for k below n / 2.
    let cosines, sines: [Float]

    init(log2n: Int) {
        self.log2n = log2n
        let count = 1 << log2n
        let angles = (0..<max(1, count / 2)).map { 2 * Double.pi * Double($0) / Double(count) }
        cosines = angles.map { Float(cos($0)) }
        sines = angles.map { Float(-sin($0)) }
    }

    static func of(_ setup: FFTSetup) -> FourierTables {
        Unmanaged<FourierTables>.fromOpaque(UnsafeRawPointer(setup)).takeUnretainedValue()
    }

    /// Transforms 2^`log2n` numbers in place: not scaled.
    func transform(_ z: DSPSplitComplex, _ stride: Int, log2n: Int, isForward: Bool) {
        let count = 1 << log2n
        var reversed = 0
        for index in 0..<count {
            if index < reversed {
                let (a, b) = (index * stride, reversed * stride)
                (z.realp[a], z.realp[b]) = (z.realp[b], z.realp[a])
                (z.imagp[a], z.imagp[b]) = (z.imagp[b], z.imagp[a])
            }
            var bit = count >> 1
            while bit > 0, reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
        }
        var half = 1
        while half < count {
            let step = (1 << self.log2n) / (2 * half)
            for k in 0..<half {
                let (c, s) = (cosines[k * step], isForward ? sines[k * step] : -sines[k * step])
                for start in Swift.stride(from: k, to: count, by: 2 * half) {
                    let (a, b) = (start * stride, (start + half) * stride)
                    let real = z.realp[b] * c - z.imagp[b] * s
                    let imaginary = z.realp[b] * s + z.imagp[b] * c
                    (z.realp[b], z.imagp[b]) = (z.realp[a] - real, z.imagp[a] - imaginary)
                    (z.realp[a], z.imagp[a]) = (z.realp[a] + real, z.imagp[a] + imaginary)
                }
            }
            half *= 2
        }
    }

    /// Transforms 2^`log2n` real numbers, of which the even ones are the real parts and the odd ones the imaginary
    /// ones, in place. The real parts of frequency 0 and of the highest, which have no imaginary ones, are the first
    /// two numbers of the result. The result is twice the transform; that of the inverse is not divided by the length.
    func transformReal(_ z: DSPSplitComplex, _ stride: Int, log2n: Int, isForward: Bool) {
        guard log2n > 0 else { return }
        let half = 1 << (log2n - 1)
        if isForward { transform(z, stride, log2n: log2n - 1, isForward: true) }
        let (first, second) = (z.realp[0], z.imagp[0])
        (z.realp[0], z.imagp[0]) =
            isForward ? (2 * (first + second), 2 * (first - second)) : (first + second, first - second)
        let step = (1 << self.log2n) / (2 * half)
        for k in 1..<max(half / 2 + 1, 1) where half > 1 {
            let (a, b) = (k * stride, (half - k) * stride)
            let (evenReal, evenImaginary) = (z.realp[a] + z.realp[b], z.imagp[a] - z.imagp[b])
            let (oddReal, oddImaginary) = (z.realp[a] - z.realp[b], z.imagp[a] + z.imagp[b])
            // The root of the double length; times -i forwards, times i backwards.
            let (c, s) = (cosines[k * step], isForward ? sines[k * step] : -sines[k * step])
            let sign: Float = isForward ? 1 : -1
            let real = sign * (oddImaginary * c + oddReal * s)
            let imaginary = sign * (oddImaginary * s - oddReal * c)
            (z.realp[a], z.imagp[a]) = (evenReal + real, evenImaginary + imaginary)
            (z.realp[b], z.imagp[b]) = (evenReal - real, imaginary - evenImaginary)
        }
        if !isForward { transform(z, stride, log2n: log2n - 1, isForward: false) }
    }
}

/// Prepares transforms of up to 2^`__Log2n` numbers; nil for more than 2^24, or steps other than of two.
/// `vDSP_destroy_fftsetup` releases the result.
public func vDSP_create_fftsetup(_ __Log2n: vDSP_Length, _ __Radix: FFTRadix) -> FFTSetup? {
    guard __Log2n <= 24, __Radix == FFTRadix(kFFTRadix2) else { return nil }
    return OpaquePointer(Unmanaged.passRetained(FourierTables(log2n: Int(__Log2n))).toOpaque())
}

/// Releases what `vDSP_create_fftsetup` made.
public func vDSP_destroy_fftsetup(_ __setup: FFTSetup?) {
    guard let __setup else { return }
    Unmanaged<FourierTables>.fromOpaque(UnsafeRawPointer(__setup)).release()
}

/// Transforms 2^`__Log2N` complex numbers in place; neither direction is scaled. A length above that of the setup is a
/// programming error.
public func vDSP_fft_zip(
    _ __Setup: FFTSetup, _ __C: UnsafePointer<DSPSplitComplex>, _ __IC: vDSP_Stride, _ __Log2N: vDSP_Length,
    _ __Direction: FFTDirection
) {
    let tables = FourierTables.of(__Setup)
    precondition(Int(__Log2N) <= tables.log2n, "The setup is for shorter transforms.")
    tables.transform(__C.pointee, __IC, log2n: Int(__Log2N), isForward: __Direction > 0)
}

/// Transforms 2^`__Log2N` real numbers in place, the even ones in the real and the odd ones in the imaginary parts. A
/// length above that of the setup is a programming error.
///
/// The first two numbers of the result are the real parts of frequency 0 and of the highest. The result is twice the
/// transform; forwards and back multiplies by twice the length.
public func vDSP_fft_zrip(
    _ __Setup: FFTSetup, _ __C: UnsafePointer<DSPSplitComplex>, _ __IC: vDSP_Stride, _ __Log2N: vDSP_Length,
    _ __Direction: FFTDirection
) {
    let tables = FourierTables.of(__Setup)
    precondition(Int(__Log2N) <= tables.log2n, "The setup is for shorter transforms.")
    tables.transformReal(__C.pointee, __IC, log2n: Int(__Log2N), isForward: __Direction > 0)
}

/// Splits complex numbers into their parts. The stride of the numbers counts floats: 2 for neighbours.
public func vDSP_ctoz(
    _ __C: UnsafePointer<DSPComplex>, _ __IC: vDSP_Stride, _ __Z: UnsafePointer<DSPSplitComplex>,
    _ __IZ: vDSP_Stride, _ __N: vDSP_Length
) {
    let target = __Z.pointee
    for index in 0..<Int(__N) {
        let number = __C[index * __IC / 2]
        (target.realp[index * __IZ], target.imagp[index * __IZ]) = (number.real, number.imag)
    }
}

/// Joins parts to complex numbers. The stride of the numbers counts floats: 2 for neighbours.
public func vDSP_ztoc(
    _ __Z: UnsafePointer<DSPSplitComplex>, _ __IZ: vDSP_Stride, _ __C: UnsafeMutablePointer<DSPComplex>,
    _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let source = __Z.pointee
    for index in 0..<Int(__N) {
        __C[index * __IC / 2] = DSPComplex(real: source.realp[index * __IZ], imag: source.imagp[index * __IZ])
    }
}

/// The squares of the magnitudes.
public func vDSP_zvmags(
    _ __A: UnsafePointer<DSPSplitComplex>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
    _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let source = __A.pointee
    for index in 0..<Int(__N) {
        let (real, imaginary) = (source.realp[index * __IA], source.imagp[index * __IA])
        __C[index * __IC] = real * real + imaginary * imaginary
    }
}

/// The magnitudes.
public func vDSP_zvabs(
    _ __A: UnsafePointer<DSPSplitComplex>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
    _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    vDSP_zvmags(__A, __IA, __C, __IC, __N)
    for index in 0..<Int(__N) { __C[index * __IC] = __C[index * __IC].squareRoot() }
}

extension vDSP {
    /// The steps of a transform.
    public enum Radix: Sendable {
        /// Steps of two.
        case radix2
    }

    /// A transform of real numbers, the even ones in the real and the odd ones in the imaginary parts. See
    /// `vDSP_fft_zrip`.
    public final class FFT<T> {
        private let setup: FFTSetup
        private let log2n: Int

        /// Prepares transforms of 2^`log2n` real numbers; nil for more than 2^24.
        public init?(log2n: vDSP_Length, radix: Radix, ofType: T.Type) where T == DSPSplitComplex {
            guard let setup = vDSP_create_fftsetup(log2n, FFTRadix(kFFTRadix2)) else { return nil }
            (self.setup, self.log2n) = (setup, Int(log2n))
        }

        deinit { vDSP_destroy_fftsetup(setup) }

        /// Writes twice the transform.
        public func forward(input: DSPSplitComplex, output: inout DSPSplitComplex) where T == DSPSplitComplex {
            transform(input, output, FFTDirection(FFT_FORWARD))
        }

        /// Writes the inverse transform, which is not divided by the length.
        public func inverse(input: DSPSplitComplex, output: inout DSPSplitComplex) where T == DSPSplitComplex {
            transform(input, output, FFTDirection(FFT_INVERSE))
        }

        private func transform(_ input: DSPSplitComplex, _ output: DSPSplitComplex, _ direction: FFTDirection) {
            let half = log2n > 0 ? 1 << (log2n - 1) : 1
            if input.realp != output.realp { output.realp.update(from: input.realp, count: half) }
            if input.imagp != output.imagp { output.imagp.update(from: input.imagp, count: half) }
            withUnsafePointer(to: output) { vDSP_fft_zrip(setup, $0, 1, vDSP_Length(log2n), direction) }
        }
    }
}
