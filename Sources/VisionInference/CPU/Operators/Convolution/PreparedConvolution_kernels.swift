internal import CVisionKernels

/// A convolution with everything that can be known before the run: geometry, packed weights, how to share the work.
///
/// The same object serves single steps and the fused ones, which ask for rows of one image at a time.
final class PreparedConvolution: Sendable {
    enum Weights: Sendable {
        case packed(PackedWeights)
        /// Not known before the run: packed at its start into the step's scratch memory.
        case unknown
    }

    /// How the products are summed.
    private enum Algorithm: String {
        case direct, depthwise
        /// In tiles of four by four pixels with fewer multiplications; rows are then handed out in fours.
        case winograd
        /// All groups at once, a vector having results of several.
        case groups
        /// Without the weights that are zero.
        case sparse
    }

    let operation: Convolution
    let weights: Weights
    /// For one image and one group; for all groups where they are computed at once.
    nonisolated(unsafe) let geometry: cvk_convolution
    nonisolated(unsafe) let depthwise: cvk_depthwise?
    let images: Int
    /// Those that are computed one by one.
    let groups: Int
    private let algorithm: Algorithm
    /// Floats of the packed weights of one group (of all channels when depthwise).
    let packedCount: Int
    let inputShape: Shape
    let outputShape: Shape
    private let residualChannels: Int
    private let weightShape: Convolution.WeightShape
    /// The slopes of a PReLU; their storage is kept alive here.
    private let slopes: Tensor?

    /// - Parameters:
    ///   - inputs: those that `infer` accepted.
    ///   - byRows: rows of the result stay rows, also where pixels alone would do.
    init(
        _ operation: Convolution, _ inputs: [TensorDescription?], _ preparation: Preparation?, byRows: Bool = false
    ) throws {
        self.operation = operation
        let inputImage = try operation.required(inputs, Convolution.Input.image).shape
        let weightTensor = try operation.required(inputs, Convolution.Input.weights)
        let shape = try operation.weightShape(weightTensor.shape)
        let size = try operation.geometry.resolved(height: inputImage[1], width: inputImage[2])
        inputShape = inputImage
        outputShape = [inputImage[0], size.outputHeight, size.outputWidth, shape.outputs]
        weightShape = shape
        images = inputImage[0]
        let bias = inputs.count > Convolution.Input.bias ? inputs[Convolution.Input.bias] : nil
        let slopesInput = inputs.count > Convolution.Input.slopes ? inputs[Convolution.Input.slopes] : nil
        guard slopesInput == nil || slopesInput?.constant != nil else {
            throw ModelError.unsupported("slopes that are not constant")
        }
        slopes = slopesInput?.constant
        let activation = operation.activation.kernelValue(
            slopes: slopes.map { UnsafePointer($0.storage.base.assumingMemoryBound(to: Float.self)) })
        let isDepthwise = operation.isDepthwise(shape)
        let window = operation.geometry
        let channels = isDepthwise ? shape.outputs : shape.outputs / operation.groups
        func int32(_ value: Int) throws -> Int32 {
            guard let small = Int32(exactly: value) else {
                throw ModelError.tooLarge("a convolution with a size of \(value)")
            }
            return small
        }
        let pixel = inputImage[3] * 4
        var geometry = cvk_convolution()
        geometry.input_height = try int32(inputImage[1])
        geometry.input_width = try int32(inputImage[2])
        geometry.input_channels = try int32(shape.inputs)
        geometry.output_height = try int32(size.outputHeight)
        geometry.output_width = try int32(size.outputWidth)
        geometry.output_channels = try int32(channels)
        geometry.kernel_height = try int32(window.kernelHeight)
        geometry.kernel_width = try int32(window.kernelWidth)
        geometry.stride_y = try int32(window.strideY)
        geometry.stride_x = try int32(window.strideX)
        geometry.dilation_y = try int32(window.dilationY)
        geometry.dilation_x = try int32(window.dilationX)
        geometry.pad_top = try int32(size.padTop)
        geometry.pad_left = try int32(size.padLeft)
        geometry.src_pixel = pixel
        geometry.src_row = inputImage[2] * pixel
        geometry.dst_pixel = shape.outputs * 4
        geometry.dst_row = size.outputWidth * shape.outputs * 4
        let residualChannels =
            operation.residual == .none
            ? shape.outputs : try operation.required(inputs, Convolution.Input.residual).shape[3]
        self.residualChannels = residualChannels
        geometry.residual_pixel = residualChannels * 4
        geometry.residual_row = size.outputWidth * residualChannels * 4
        geometry.residual_channels =
            isDepthwise || operation.groups == 1 ? try int32(residualChannels) : geometry.output_channels
        geometry.residual =
            switch operation.residual {
            case .none: CVK_RESIDUAL_NONE
            case .beforeActivation: CVK_RESIDUAL_BEFORE
            case .afterActivation: CVK_RESIDUAL_AFTER
            }
        geometry.activation = activation
        let isPointwise =
            window.kernelHeight == 1 && window.kernelWidth == 1 && window.strideY == 1 && window.strideX == 1
            && size.padTop == 0 && size.padLeft == 0 && size.outputHeight == inputImage[1]
            && size.outputWidth == inputImage[2]
        if isPointwise, !isDepthwise, !byRows {
            // Pixels are all that counts: rows of one pixel each share out finely.
            geometry.input_height = try int32(inputImage[1] * inputImage[2])
            geometry.output_height = geometry.input_height
            geometry.input_width = 1
            geometry.output_width = 1
            geometry.src_row = geometry.src_pixel
            geometry.dst_row = geometry.dst_pixel
            geometry.residual_row = geometry.residual_pixel
        }
        let values = weightTensor.constant.map { UnsafePointer($0.storage.base.assumingMemoryBound(to: Float.self)) }
        let isConstant = values != nil && (bias == nil || bias?.constant != nil)
        if !byRows, !isDepthwise, operation.groups > 1, shape.inputs == channels, isConstant {
            var whole = geometry
            whole.output_channels = try int32(shape.outputs)
            let suits = withUnsafePointer(to: whole) { cvk_f32_groups_suit($0) != 0 }
            if suits { geometry = whole }
            algorithm = suits ? .groups : .direct
        } else if isDepthwise {
            algorithm = .depthwise
        } else {
            let suits =
                !byRows && operation.groups == 1 && isConstant
                && withUnsafePointer(to: geometry) { cvk_f32_winograd_suits($0) != 0 }
            let isSparse =
                !suits && operation.groups == 1 && isConstant
                && withUnsafePointer(to: geometry) {
                    cvk_f32_sparse_suits($0, values, shape.outputStep, shape.inputStep) != 0
                }
            algorithm = suits ? .winograd : isSparse ? .sparse : .direct
        }
        groups = algorithm == .direct ? operation.groups : 1
        self.geometry = geometry
        if isDepthwise {
            var value = cvk_depthwise()
            value.channels = try int32(inputImage[3])
            value.multiplier = try int32(shape.outputs / inputImage[3])
            value.in_width = geometry.input_width
            value.out_width = geometry.output_width
            value.kernel_width = geometry.kernel_width
            value.kernel_height = geometry.kernel_height
            value.stride = geometry.stride_x
            value.dilation = geometry.dilation_x
            value.pad_left = geometry.pad_left
            value.row_step = geometry.stride_y
            value.row_dilation = geometry.dilation_y
            value.src_pixel_stride = geometry.src_pixel
            value.dst_pixel_stride = geometry.dst_pixel
            value.residual_pixel_stride = geometry.residual_pixel
            value.activation = activation
            depthwise = value
            packedCount = cvk_depthwise_packed_size(
                try int32(shape.outputs), try int32(window.kernelHeight * window.kernelWidth))
        } else {
            depthwise = nil
            let algorithm = algorithm
            packedCount = withUnsafePointer(to: geometry) {
                switch algorithm {
                case .winograd: cvk_f32_winograd_packed_count($0)
                case .groups: cvk_f32_groups_packed_count($0)
                case .sparse: cvk_f32_sparse_packed_count($0, values, shape.outputStep, shape.inputStep)
                case .direct, .depthwise: cvk_f32_convolution_packed_count($0)
                }
            }
        }
        guard let constant = weightTensor.constant, bias == nil || bias?.constant != nil, let preparation else {
            weights = .unknown
            return
        }
        let biasKey = bias?.constant.map { "\(UInt(bitPattern: $0.storage.base))" } ?? "none"
        let count = packedCount * groups
        let packing = (geometry, shape, groups, algorithm)
        let cached = try preparation.weights.packed(
            from: constant, purpose: "\(algorithm) \(operation.order) \(operation.groups) \(constant.shape) \(biasKey)",
            keeping: bias?.constant?.storage
        ) {
            let storage = TensorStorage(byteCount: try [count].checkedElementCount(.float32) * 4)
            Self.pack(
                storage.base, constant.storage.base, bias?.constant?.storage.base, packing.1, packing.0,
                groups: packing.2, algorithm: packing.3, packedCount: count / packing.2)
            return storage
        }
        weights = .packed(cached)
    }

    private static func pack(
        _ packed: UnsafeMutableRawPointer, _ weights: UnsafeRawPointer, _ bias: UnsafeRawPointer?,
        _ shape: Convolution.WeightShape, _ geometry: cvk_convolution, groups: Int, algorithm: Algorithm,
        packedCount: Int
    ) {
        let packed = packed.assumingMemoryBound(to: Float.self)
        let weights = weights.assumingMemoryBound(to: Float.self)
        let bias = bias?.assumingMemoryBound(to: Float.self)
        if algorithm == .depthwise {
            // Taps lie evenly apart: either rows follow each other at once, or (H W O) columns do with all channels
            // between.
            cvk_f32_depthwise_pack(
                packed, weights, shape.outputStep, shape.columnStep, bias, Int32(shape.outputs),
                Int32(shape.height * shape.width))
            return
        }
        let channels = shape.outputs / groups
        withUnsafePointer(to: geometry) { geometry in
            if algorithm == .sparse {
                cvk_f32_pack_sparse(packed, weights, shape.outputStep, shape.inputStep, bias, geometry)
                return
            }
            if algorithm != .direct {
                let pack = algorithm == .winograd ? cvk_f32_pack_winograd : cvk_f32_pack_groups
                pack(
                    packed, weights, shape.outputStep, shape.rowStep, shape.columnStep, shape.inputStep, bias, geometry)
                return
            }
            for group in 0..<groups {
                cvk_f32_pack_convolution(
                    packed + group * packedCount, weights + group * channels * shape.outputStep, shape.outputStep,
                    shape.rowStep, shape.columnStep, shape.inputStep, bias.map { $0 + group * channels }, geometry)
            }
        }
    }

    /// Packs weights that come with the run.
    func pack(into packed: UnsafeMutableRawPointer, weights: TensorView, bias: TensorView?) {
        Self.pack(
            packed, weights.base, bias?.base, weightShape, geometry, groups: groups, algorithm: algorithm,
            packedCount: packedCount)
    }

    /// Bytes for weights that come with the run.
    var runtimeWeightBytes: Int {
        if case .unknown = weights { return (packedCount * groups * 4 + 63) / 64 * 64 }
        return 0
    }

    /// Bytes that each thread wants.
    var workBytes: Int {
        let bytes = withUnsafePointer(to: geometry) {
            switch algorithm {
            case .direct: cvk_f32_convolution_work_bytes($0)
            case .winograd: cvk_f32_winograd_work_bytes($0)
            case .sparse: cvk_f32_sparse_work_bytes($0)
            case .depthwise, .groups: 0
            }
        }
        return (bytes + 63) / 64 * 64
    }

    /// Rows of one image as the kernels count them: pixels when the kernel is 1 × 1.
    var rows: Int { Int(geometry.output_height) }

    /// Rows `rows` of one group's result in one image, for the output channels `channels` of the group.
    func runDense(
        _ rows: Range<Int>, channels: Range<Int>? = nil, group: Int = 0, dst: UnsafeMutableRawPointer,
        src: UnsafeRawPointer, residual: UnsafeRawPointer?, packed: UnsafeRawPointer, work: UnsafeMutableRawPointer
    ) {
        let inputOffset = group * Int(geometry.input_channels) * 4
        let outputOffset = group * Int(geometry.output_channels) * 4
        let channels = channels ?? 0..<Int(geometry.output_channels)
        var geometry = geometry
        if group > 0, let slopes = geometry.activation.slopes {
            geometry.activation.slopes = slopes + group * Int(geometry.output_channels)
        }
        if algorithm == .groups {
            withUnsafePointer(to: geometry) { geometry in
                cvk_f32_convolve_groups(
                    dst.assumingMemoryBound(to: Float.self), src.assumingMemoryBound(to: Float.self),
                    packed.assumingMemoryBound(to: Float.self), geometry, Int32(rows.lowerBound),
                    Int32(rows.upperBound), Int32(channels.lowerBound), Int32(channels.upperBound))
            }
            return
        }
        withUnsafePointer(to: geometry) { geometry in
            let run =
                switch algorithm {
                case .winograd: cvk_f32_winograd
                case .sparse: cvk_f32_convolve_sparse
                case .direct, .depthwise, .groups: cvk_f32_convolve
                }
            run(
                (dst + outputOffset).assumingMemoryBound(to: Float.self),
                (src + inputOffset).assumingMemoryBound(to: Float.self),
                residual.map { ($0 + outputOffset).assumingMemoryBound(to: Float.self) },
                packed.assumingMemoryBound(to: Float.self) + group * packedCount, geometry, Int32(rows.lowerBound),
                Int32(rows.upperBound), Int32(channels.lowerBound), Int32(channels.upperBound), work)
        }
    }

    /// Rows of a depthwise result.
    ///
    /// - Parameters:
    ///   - dst: where the first row of `rows` goes.
    ///   - residual: the first row of `rows`.
    ///   - row: the first pixel of a row of the input; only asked for rows that exist.
    func runDepthwise(
        _ rows: Range<Int>, dst: UnsafeMutableRawPointer, residual: UnsafeRawPointer?, packed: UnsafeRawPointer,
        row: (Int) -> UnsafeRawPointer
    ) {
        guard let depthwise, !rows.isEmpty else { return }
        let window = operation.geometry
        let top = Int(geometry.pad_top)
        // Bounded, so that the pointers fit on the stack whatever the image.
        let most = max(64 / window.strideY, 1)
        var first = rows.lowerBound
        while first < rows.upperBound {
            let count = min(most, rows.upperBound - first)
            let begin = first * window.strideY - top
            let needed = (count - 1) * window.strideY + (window.kernelHeight - 1) * window.dilationY + 1
            let offset = first - rows.lowerBound
            withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: needed) { pointers in
                for index in 0..<needed {
                    let y = begin + index
                    pointers.initializeElement(
                        at: index,
                        to: y >= 0 && y < Int(geometry.input_height)
                            ? row(y).assumingMemoryBound(to: Float.self) : nil)
                }
                withUnsafePointer(to: depthwise) { shape in
                    cvk_f32_depthwise(
                        (dst + offset * geometry.dst_row).assumingMemoryBound(to: Float.self), geometry.dst_row,
                        pointers.baseAddress, packed.assumingMemoryBound(to: Float.self),
                        residual.map { ($0 + offset * geometry.residual_row).assumingMemoryBound(to: Float.self) },
                        geometry.residual_row, Int32(count), shape)
                }
            }
            first += count
        }
    }

    /// Rows that are handed out together.
    var rowUnit: Int { algorithm == .winograd ? 4 : 1 }
    /// Those that each output channel reads.
    var inputChannels: Int { Int(geometry.input_channels) }
    var padTop: Int { Int(geometry.pad_top) }
    var srcRowBytes: Int { geometry.src_row }
    var dstRowBytes: Int { geometry.dst_row }
    var srcImageBytes: Int { inputShape[1] * inputShape[2] * inputShape[3] * 4 }
    var dstImageBytes: Int { outputShape[1] * outputShape[2] * outputShape[3] * 4 }
    var residualImageBytes: Int { outputShape[1] * outputShape[2] * residualChannels * 4 }
}

extension ConvolutionStep {
    /// Channels that belong together when the work is shared by channels.
    static var panel: Int { Int(CVK_PANEL) }
}
