internal import CVisionKernels

/// A convolution of bytes with packed weights. The same object serves single steps and those that want rows in bands.
final class PreparedQuantisedLayer: Sendable {
    let sizes: QuantisedLayer
    /// Panels of a group, and bytes of its packed weights.
    let panels: Int
    let packedBytes: Int
    private let packed: PackedWeights
    /// A row, or for a dense convolution a pixel, of the zero point.
    private let padding: TensorStorage
    nonisolated(unsafe) private let dense: cvk_q8_convolution
    nonisolated(unsafe) private let depthwise: cvk_q8_depthwise

    /// `inputs` are those that `infer` accepted, weights and bias constant.
    init(_ sizes: QuantisedLayer, _ inputs: [TensorDescription?], _ preparation: Preparation) throws {
        guard let weights = inputs.count > 1 ? inputs[1]?.constant : nil else {
            throw ModelError.invalid("weights of a convolution of bytes that are not constant")
        }
        let bias = inputs.count > 2 ? inputs[2]?.constant : nil
        self.sizes = sizes
        func int32(_ value: Int) throws -> Int32 {
            guard let small = Int32(exactly: value), small >= 0 else {
                throw ModelError.tooLarge("a convolution with a size of \(value)")
            }
            return small
        }
        let window = sizes.geometry
        let channels = sizes.outChannels / sizes.groups
        let output: cvk_q8_output =
            switch sizes.result {
            case .bytes(let zeroPoint, let low, let high):
                cvk_q8_output(zero_point: Int32(zeroPoint), low: Int32(low), high: Int32(max(low, high)))
            case .floats: cvk_q8_output(zero_point: 0, low: 0, high: 255)
            }
        padding = TensorStorage(byteCount: sizes.isDepthwise ? sizes.inWidth * sizes.inChannels : sizes.depth)
        for index in 0..<padding.byteCount {
            padding.base.storeBytes(of: UInt8(sizes.zeroPoint), toByteOffset: index, as: UInt8.self)
        }
        let around = UnsafePointer(padding.base.assumingMemoryBound(to: UInt8.self))
        let dstPixel = sizes.outChannels * sizes.result.elementSize
        var dense = cvk_q8_convolution()
        dense.in_width = try int32(sizes.inWidth)
        dense.in_height = try int32(sizes.inHeight)
        dense.in_channels = try int32(sizes.depth)
        dense.src_pixel = sizes.inChannels
        dense.src_stride = sizes.inWidth * sizes.inChannels
        dense.out_width = try int32(sizes.outWidth)
        dense.out_height = try int32(sizes.outHeight)
        dense.out_channels = try int32(channels)
        dense.dst_pixel = dstPixel
        dense.dst_stride = sizes.outWidth * dstPixel
        dense.kernel_width = try int32(window.kernelWidth)
        dense.kernel_height = try int32(window.kernelHeight)
        dense.stride_x = try int32(window.strideX)
        dense.stride_y = try int32(window.strideY)
        dense.dilation_x = try int32(window.dilationX)
        dense.dilation_y = try int32(window.dilationY)
        guard let padLeft = Int32(exactly: sizes.padLeft), let padTop = Int32(exactly: sizes.padTop) else {
            throw ModelError.tooLarge("padding of \(sizes.padLeft) and \(sizes.padTop)")
        }
        dense.pad_left = padLeft
        dense.pad_top = padTop
        dense.padding = around
        dense.output = output
        var depthwise = cvk_q8_depthwise()
        depthwise.in_width = dense.in_width
        depthwise.channels = try int32(sizes.inChannels)
        depthwise.src_pixel = sizes.inChannels
        depthwise.out_width = dense.out_width
        depthwise.dst_pixel = dstPixel
        depthwise.kernel_width = dense.kernel_width
        depthwise.kernel_height = dense.kernel_height
        depthwise.stride_x = dense.stride_x
        depthwise.dilation_x = dense.dilation_x
        depthwise.pad_left = padLeft
        depthwise.padding = around
        depthwise.output = output
        self.dense = dense
        self.depthwise = depthwise
        panels = sizes.isDepthwise ? Int(cvk_q8_blocks(depthwise.channels)) : Int(cvk_q8_panels(dense.out_channels))
        packedBytes =
            panels
            * (sizes.isDepthwise
                ? cvk_q8_block_bytes(depthwise.kernel_width, depthwise.kernel_height, depthwise.dilation_x)
                : cvk_q8_panel_bytes(dense.in_channels, try int32(sizes.taps)))
        let purpose =
            "bytes \(sizes.outputStep) \(sizes.inputStep) \(sizes.groups) \(sizes.zeroPoint) \(sizes.isDepthwise) "
            + "\(bias.map { "\(UInt(bitPattern: $0.storage.base))" } ?? "") \(window.dilationX) "
            + sizes.scales.map { String($0.bitPattern, radix: 36) }.joined(separator: ",")
        let (bytes, geometry) = (packedBytes, depthwise)
        packed = try preparation.weights.packed(from: weights, purpose: purpose, keeping: bias?.storage) {
            try Self.pack(sizes, weights, bias, bytes, geometry)
        }
    }

    private static func pack(
        _ sizes: QuantisedLayer, _ weights: Tensor, _ bias: Tensor?, _ packedBytes: Int, _ depthwise: cvk_q8_depthwise
    ) throws -> TensorStorage {
        let channels = sizes.outChannels / sizes.groups
        let last =
            (sizes.outChannels - 1) * sizes.outputStep + (sizes.depth - 1) * sizes.inputStep
            + (sizes.taps - 1) * sizes.tapStep
        guard last < weights.byteCount, sizes.scales.count == sizes.outChannels,
            bias.map({ $0.elementCount == sizes.outChannels && $0.type == .int32 }) ?? true
        else { throw ModelError.invalid("weights of a convolution of bytes that do not fit it") }
        let parts = sizes.isDepthwise ? 1 : sizes.groups
        let storage = TensorStorage(byteCount: try [packedBytes, parts].checkedElementCount(.uint8))
        let source = weights.storage.base.assumingMemoryBound(to: Int8.self)
        let biases = bias.map { UnsafePointer($0.storage.base.assumingMemoryBound(to: Int32.self)) }
        sizes.scales.withUnsafeBufferPointer { scales in
            guard let scales = scales.baseAddress else { return }
            if sizes.isDepthwise {
                withUnsafePointer(to: depthwise) { geometry in
                    cvk_s8_pack_depthwise(
                        storage.base.assumingMemoryBound(to: UInt8.self), source, sizes.outputStep, sizes.tapStep,
                        biases, scales, geometry, Int32(sizes.zeroPoint))
                }
                return
            }
            for group in 0..<sizes.groups {
                cvk_s8_pack_convolution(
                    (storage.base + group * packedBytes).assumingMemoryBound(to: UInt8.self),
                    source + group * channels * sizes.outputStep, sizes.outputStep, sizes.inputStep, sizes.tapStep,
                    biases.map { $0 + group * channels }, scales + group * channels, Int32(channels),
                    Int32(sizes.depth), Int32(sizes.taps), Int32(sizes.zeroPoint))
            }
        }
        return storage
    }

    var srcImageBytes: Int { sizes.inHeight * sizes.inWidth * sizes.inChannels }
    var dstImageBytes: Int { sizes.outHeight * sizes.outWidth * sizes.outChannels * sizes.result.elementSize }

    /// Rows of one image and group; of an image that is one row, pixels. `dst` and `src` are the whole image's.
    func run(
        _ rows: Range<Int>, panels: Range<Int>, group: Int, dst: UnsafeMutableRawPointer, src: UnsafeRawPointer
    ) {
        var geometry = dense
        var dst = dst + group * sizes.outChannels / sizes.groups * sizes.result.elementSize
        var src = src + group * sizes.depth
        var rows = rows
        if sizes.outHeight == 1, rows.count < sizes.outWidth {
            // Some pixels of the only row.
            dst += rows.lowerBound * geometry.dst_pixel
            if sizes.taps == 1, geometry.pad_left == 0, geometry.stride_x == 1 {
                src += rows.lowerBound * geometry.src_pixel
                geometry.in_width = Int32(rows.count)
            } else {
                geometry.pad_left -= Int32(rows.lowerBound) * geometry.stride_x
            }
            geometry.out_width = Int32(rows.count)
            rows = 0..<1
        } else if sizes.outHeight == 1 {
            rows = 0..<1
        }
        let weights = (packed.base + group * packedBytes).assumingMemoryBound(to: UInt8.self)
        let source = src.assumingMemoryBound(to: UInt8.self)
        withUnsafePointer(to: geometry) { geometry in
            if sizes.result == .floats {
                cvk_u8_convolution_f32(
                    dst.assumingMemoryBound(to: Float.self), source, weights, geometry, Int32(rows.lowerBound),
                    Int32(rows.upperBound), Int32(panels.lowerBound), Int32(panels.upperBound))
            } else {
                cvk_u8_convolution(
                    dst.assumingMemoryBound(to: UInt8.self), source, weights, geometry, Int32(rows.lowerBound),
                    Int32(rows.upperBound), Int32(panels.lowerBound), Int32(panels.upperBound))
            }
        }
    }

    /// Rows of a depthwise result of one image.
    func runDepthwise(_ rows: Range<Int>, dst: UnsafeMutableRawPointer, src: UnsafeRawPointer) {
        let stride = sizes.inWidth * sizes.inChannels
        for row in rows {
            runDepthwise(row, dst: dst + row * sizes.outWidth * sizes.outChannels) { src + $0 * stride }
        }
    }

    /// One row of a depthwise result. `sourceRow` is only asked for rows that exist.
    func runDepthwise(_ row: Int, dst: UnsafeMutableRawPointer, sourceRow: (Int) -> UnsafeRawPointer) {
        let window = sizes.geometry
        withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: window.kernelHeight) { pointers in
            for tap in 0..<window.kernelHeight {
                let y = row * window.strideY - sizes.padTop + tap * window.dilationY
                let pointer = (0..<sizes.inHeight).contains(y) ? sourceRow(y) : UnsafeRawPointer(padding.base)
                pointers.initializeElement(at: tap, to: pointer.assumingMemoryBound(to: UInt8.self))
            }
            withUnsafePointer(to: depthwise) { geometry in
                cvk_u8_depthwise(
                    dst.assumingMemoryBound(to: UInt8.self), pointers.baseAddress,
                    packed.base.assumingMemoryBound(to: UInt8.self), geometry, 0, Int32(panels))
            }
        }
    }
}
