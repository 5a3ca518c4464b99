import Foundation

extension CGContext {
    /// Sets how what is drawn is combined with what is there.
    public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }

    /// Combines a colour with a pixel.
    ///
    /// - Parameters:
    ///   - source: Red, green, blue, 0…255, multiplied by alpha, and alpha, 0…1.
    ///   - coverage: How much of the pixel is drawn on, 0…1.
    ///   - row: Counted from the bottom.
    func blend(_ source: SIMD4<Float>, coverage: Float, x: Int, row: Int) {
        if let free = castMask?[row * width + x] {
            castMask?[row * width + x] = free * (1 - source.w * coverage)
            return
        }
        // A document has no pixels.
        guard !isDocument else { return }
        let pixel = memory.address + (height - 1 - row) * bytesPerRow + x * layout.bytesPerPixel
        let colour = SIMD3(source.x, source.y, source.z)
        guard state.blendMode != .normal else {
            return blend(colour, alpha: source.w, opacity: Float(state.alpha) * coverage, into: pixel)
        }
        let old = stored(pixel)
        let result = state.blendMode.combine(SIMD4(colour / 255, source.w) * Float(state.alpha), over: old)
        store(old + (result - old) * coverage, pixel)
    }

    /// Whether the pixels have a meaning where they are not opaque.
    private var storesAlpha: Bool {
        switch alphaInfo {
        case .premultipliedFirst, .premultipliedLast, .first, .last: layout != .grey8
        default: false
        }
    }

    /// Where red, green, blue and alpha of a pixel are.
    private var offsets: (red: Int, green: Int, blue: Int, alpha: Int) {
        switch layout {
        case .rgba8: (0, 1, 2, 3)
        case .argb8: (1, 2, 3, 0)
        default: (2, 1, 0, 3)
        }
    }

    /// The colour of a pixel, multiplied by alpha, 0…1.
    private func stored(_ pixel: UnsafeMutableRawPointer) -> SIMD4<Float> {
        func part(_ offset: Int) -> Float { Float(pixel.load(fromByteOffset: offset, as: UInt8.self)) / 255 }
        if layout == .grey8 { return SIMD4(part(0), part(0), part(0), 1) }
        let at = offsets
        return SIMD4(part(at.red), part(at.green), part(at.blue), storesAlpha ? part(at.alpha) : 1)
    }

    private func store(_ colour: SIMD4<Float>, _ pixel: UnsafeMutableRawPointer) {
        func put(_ value: Float, _ offset: Int) {
            let level = (value * 255).rounded()
            // A comparison that is false for NaN.
            pixel.storeBytes(of: level > 0 ? UInt8(min(level, 255)) : 0, toByteOffset: offset, as: UInt8.self)
        }
        if layout == .grey8 { return put(0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z, 0) }
        let at = offsets
        put(colour.x, at.red)
        put(colour.y, at.green)
        put(colour.z, at.blue)
        put(colour.w, at.alpha)
    }

    /// Source over destination; `colour` is premultiplied by `alpha`.
    private func blend(_ colour: SIMD3<Float>, alpha: Float, opacity: Float, into pixel: UnsafeMutableRawPointer) {
        func mixed(_ source: Float, _ offset: Int) -> UInt8 {
            let old = Float(pixel.load(fromByteOffset: offset, as: UInt8.self))
            return UInt8(min(max((source * opacity + old * (1 - alpha * opacity)).rounded(), 0), 255))
        }
        func store(_ value: Float, _ offset: Int) {
            pixel.storeBytes(of: mixed(value, offset), toByteOffset: offset, as: UInt8.self)
        }
        guard layout != .grey8 else {
            return store(0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z, 0)
        }
        let at = offsets
        store(colour.x, at.red)
        store(colour.y, at.green)
        store(colour.z, at.blue)
        store(255 * alpha, at.alpha)
    }
}
