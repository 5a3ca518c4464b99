import Foundation

extension RandomNumbers: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let target = outputs[0].pointer(Float.self)
        let count = outputs[0].elementCount
        for start in stride(from: 0, to: count, by: 4) {
            let fractions = fractions(UInt64(start / 4))
            let numbers = numbers(fractions)
            for index in 0..<min(4, count - start) { target[start + index] = numbers[index] }
        }
    }

    private func numbers(_ fractions: SIMD4<Float>) -> SIMD4<Float> {
        switch distribution {
        case .uniform(let low, let high): return low + (high - low) * fractions
        case .bernoulli(let probability): return SIMD4<Float>.zero.replacing(with: 1, where: fractions .< probability)
        case .normal(let mean, let deviation):
            // Two uniform numbers give two normal ones (Box and Muller, 1958).
            var result = SIMD4<Float>()
            for pair in 0..<2 {
                let radius = (-2 * log(1 - Double(fractions[2 * pair]))).squareRoot()
                let angle = 2 * Double.pi * Double(fractions[2 * pair + 1])
                result[2 * pair] = Float(radius * cos(angle))
                result[2 * pair + 1] = Float(radius * sin(angle))
            }
            return mean + deviation * result
        }
    }

    /// Four numbers from 0 to before 1, of 24 bits each: block `counter` of Philox4x32-10 (Salmon and others, 2011),
    /// whose numbers need none of those before them.
    private func fractions(_ counter: UInt64) -> SIMD4<Float> {
        var block = SIMD4<UInt32>(UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: counter >> 32), 0, 0)
        var key = SIMD2<UInt32>(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
        for _ in 0..<10 {
            let first = UInt64(block[0]) * 0xD251_1F53
            let second = UInt64(block[2]) * 0xCD9E_8D57
            block = SIMD4(
                UInt32(second >> 32) ^ block[1] ^ key[0], UInt32(truncatingIfNeeded: second),
                UInt32(first >> 32) ^ block[3] ^ key[1], UInt32(truncatingIfNeeded: first))
            key &+= SIMD2(0x9E37_79B9, 0xBB67_AE85)
        }
        return SIMD4<Float>(block &>> 8) * 0x1p-24
    }
}
