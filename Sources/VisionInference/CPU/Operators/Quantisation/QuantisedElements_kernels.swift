internal import CVisionKernels
import VisionThreads

extension QuantisedBinary: CPUOperator {
    var inPlaceInput: Int? { 0 }

    func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let a = try required(inputs, 0).shape.elementCount
        let b = try required(inputs, 1).shape.elementCount
        return QuantisedBinaryStep(operation: self, count: a, period: b)
    }
}

extension QuantisedLookup: CPUOperator {
    func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        QuantisedLookupStep(table: table, count: try required(inputs, 0).shape.elementCount)
    }
}

extension QuantiseImage: CPUOperator {
    func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        QuantiseImageStep(shape: try required(inputs, 0).shape, scale: scale)
    }
}

extension QuantisedPool: CPUOperator {
    func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        try QuantisedPoolStep(kind: kind, geometry: window(required(inputs, 0).shape), shape: required(inputs, 0).shape)
    }
}

/// Sums or products of bytes; the second input is repeated every `period` elements.
struct QuantisedBinaryStep: Step {
    let operation: QuantisedBinary
    let count: Int
    let period: Int

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard buffers.inputs.count > 1, let a = buffers.inputs[0], let b = buffers.inputs[1],
            let output = buffers.outputs.first, period > 0
        else { return }
        precondition(a.byteCount >= count && b.byteCount >= period && output.byteCount >= count)
        nonisolated(unsafe) let first = a.base.assumingMemoryBound(to: UInt8.self)
        nonisolated(unsafe) let second = b.base.assumingMemoryBound(to: UInt8.self)
        nonisolated(unsafe) let result = output.base.assumingMemoryBound(to: UInt8.self)
        let operation = operation
        let to = operation.result
        let bounds = cvk_q8_output(
            zero_point: Int32(to.zeroPoint), low: Int32(operation.low), high: Int32(max(operation.low, operation.high)))
        // One row, or one for each repetition; a single number is a row of as many as fit a register.
        let (width, height) = period == count ? (count, 1) : (period, count / period)
        let isWhole = height == 1
        let shares = isWhole ? ByteShares(count, workers.count) : nil
        let rowShares = max(1, min(workers.count, count / 32768, height))
        workers.parallel(shares?.count ?? rowShares) { part, _ in
            let columns = shares?[part] ?? 0..<width
            let rows = isWhole ? 0..<1 : height * part / rowShares..<height * (part + 1) / rowShares
            let offset = rows.lowerBound * width + columns.lowerBound
            withUnsafePointer(to: bounds) { bounds in
                switch operation.kind {
                case .add:
                    cvk_u8_add(
                        result + offset, width, first + offset, width, second + columns.lowerBound, isWhole ? width : 0,
                        Int32(columns.count), Int32(rows.count), operation.scales[0].scale / to.scale,
                        Int32(operation.scales[0].zeroPoint), operation.scales[1].scale / to.scale,
                        Int32(operation.scales[1].zeroPoint), bounds)
                case .multiply:
                    cvk_u8_multiply(
                        result + offset, width, first + offset, width, second + columns.lowerBound, isWhole ? width : 0,
                        Int32(columns.count), Int32(rows.count),
                        operation.scales[0].scale * operation.scales[1].scale / to.scale,
                        Int32(operation.scales[0].zeroPoint), Int32(operation.scales[1].zeroPoint), bounds)
                }
            }
        }
    }
}

struct QuantisedLookupStep: Step {
    let table: [UInt8]
    let count: Int

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs.first ?? nil, let output = buffers.outputs.first else { return }
        precondition(input.byteCount >= count && output.byteCount >= count && table.count == 256)
        nonisolated(unsafe) let source = input.base.assumingMemoryBound(to: UInt8.self)
        nonisolated(unsafe) let result = output.base.assumingMemoryBound(to: UInt8.self)
        let shares = ByteShares(count, workers.count)
        workers.parallel(shares.count) { part, _ in
            let range = shares[part]
            table.withUnsafeBufferPointer { table in
                cvk_u8_lookup(
                    result + range.lowerBound, source + range.lowerBound, range.count, table.baseAddress)
            }
        }
    }
}

struct QuantiseImageStep: Step {
    /// N, C, H, W.
    let shape: Shape
    let scale: QuantisedScale

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs.first ?? nil, let output = buffers.outputs.first, shape.elementCount > 0 else {
            return
        }
        precondition(input.byteCount >= shape.elementCount * 4 && output.byteCount >= shape.elementCount)
        nonisolated(unsafe) let source = input.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let result = output.base.assumingMemoryBound(to: UInt8.self)
        let (channels, pixels) = (shape[1], shape[2] * shape[3])
        let shares = ByteShares(pixels, workers.count)
        workers.parallel(shares.count * shape[0]) { part, _ in
            let image = part / shares.count
            let range = shares[part % shares.count]
            cvk_f32_quantise_planes(
                result + image * channels * pixels + range.lowerBound * channels,
                source + image * channels * pixels + range.lowerBound, pixels, range.count, Int32(channels),
                scale.scale,
                Int32(scale.zeroPoint))
        }
    }
}

struct QuantisedPoolStep: Step {
    let kind: QuantisedPool.Kind
    let shape: Shape
    private let size: WindowGeometry.Resolved
    private let window: WindowGeometry
    private let geometry: cvk_q8_pooling

    init(kind: QuantisedPool.Kind, geometry window: WindowGeometry, shape: Shape) throws {
        self.kind = kind
        self.shape = shape
        self.window = window
        size = try window.resolved(height: shape[1], width: shape[2])
        guard let width = Int32(exactly: shape[2]), let channels = Int32(exactly: shape[3]),
            window.kernelWidth * window.kernelHeight < 1 << 23
        else { throw ModelError.tooLarge("pooling of an image of shape \(shape)") }
        geometry = cvk_q8_pooling(
            in_width: width, channels: channels, src_pixel: shape[3], out_width: Int32(size.outputWidth),
            dst_pixel: shape[3], kernel_width: Int32(window.kernelWidth), kernel_height: 0,
            stride_x: Int32(window.strideX), dilation_x: Int32(window.dilationX), pad_left: Int32(size.padLeft))
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs.first ?? nil, let output = buffers.outputs.first, output.byteCount > 0 else {
            return
        }
        nonisolated(unsafe) let source = input.base.assumingMemoryBound(to: UInt8.self)
        nonisolated(unsafe) let result = output.base.assumingMemoryBound(to: UInt8.self)
        let rowBytes = shape[2] * shape[3]
        let resultBytes = size.outputWidth * shape[3]
        let cost = resultBytes * window.kernelWidth * window.kernelHeight / 8
        let shares = WorkShares(size.outputHeight, cost: cost, workers.count)
        workers.parallel(shares.count * shape[0]) { part, _ in
            let image = part / shares.count
            for row in shares[part % shares.count] {
                withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: window.kernelHeight) { rows in
                    var geometry = geometry
                    geometry.kernel_height = 0
                    for tap in 0..<window.kernelHeight {
                        let y = row * window.strideY - size.padTop + tap * window.dilationY
                        guard (0..<shape[1]).contains(y) else { continue }
                        rows.initializeElement(
                            at: Int(geometry.kernel_height),
                            to: UnsafePointer(source + (image * shape[1] + y) * rowBytes))
                        geometry.kernel_height += 1
                    }
                    pool(result + (image * size.outputHeight + row) * resultBytes, rows.baseAddress, geometry)
                }
            }
        }
    }

    private func pool(
        _ dst: UnsafeMutablePointer<UInt8>, _ rows: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ geometry: cvk_q8_pooling
    ) {
        withUnsafePointer(to: geometry) { geometry in
            switch kind {
            case .max: cvk_u8_max_pool(dst, rows, geometry)
            case .average(let from, let to, let countsPadding):
                var output = cvk_q8_output(zero_point: Int32(to.zeroPoint), low: 0, high: 255)
                let divisor = countsPadding ? Int32(window.kernelWidth * window.kernelHeight) : 0
                cvk_u8_average_pool(
                    dst, rows, geometry, from.scale / to.scale, Int32(from.zeroPoint), divisor, &output)
            }
        }
    }
}
