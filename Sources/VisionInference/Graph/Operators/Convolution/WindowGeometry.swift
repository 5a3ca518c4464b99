/// How a window moves over an image: for convolutions and pooling.
package struct WindowGeometry: Hashable, Sendable {
    /// What lies around the image.
    package enum Padding: Hashable, Sendable {
        case explicit(top: Int, left: Int, bottom: Int, right: Int)
        /// As much as makes the output size the input size over the stride, rounded up; the odd one is at the end.
        case sameUpper
        /// The same, the odd one at the beginning.
        case sameLower

        package static let none = Padding.explicit(top: 0, left: 0, bottom: 0, right: 0)
    }

    package var kernelHeight: Int
    package var kernelWidth: Int
    package var strideY = 1
    package var strideX = 1
    package var dilationY = 1
    package var dilationX = 1
    package var padding: Padding = .none
    /// Sizes are rounded up where the stride does not divide them (pooling).
    package var roundsUp = false

    /// A geometry with everything worked out for one input size.
    package struct Resolved: Hashable, Sendable {
        package var outputHeight: Int
        package var outputWidth: Int
        package var padTop: Int
        package var padLeft: Int
        package var padBottom: Int
        package var padRight: Int
    }

    /// Sizes and paddings for an input of this size. Throws for values that no image has.
    package func resolved(height: Int, width: Int) throws -> Resolved {
        let largest = 1 << 20
        for value in [kernelHeight, kernelWidth, strideY, strideX, dilationY, dilationX] where !(1...largest ~= value) {
            throw ModelError.invalid("a window with kernel, stride or dilation \(value)")
        }
        // What work costs is counted in elements times the window's area, and a row of windows wants as many pointers
        // as one reaches over.
        guard kernelHeight * kernelWidth <= SpatialWindow.largestArea,
            (kernelHeight - 1) * dilationY < SpatialWindow.largestArea,
            (kernelWidth - 1) * dilationX < SpatialWindow.largestArea
        else {
            throw ModelError.tooLarge(
                "a window of \(kernelWidth) × \(kernelHeight) with dilations of \(dilationX) and \(dilationY)")
        }
        guard height <= 1 << 24, width <= 1 << 24 else {
            throw ModelError.tooLarge("an image of \(width) × \(height)")
        }
        var top = 0
        var left = 0
        var bottom = 0
        var right = 0
        if case .explicit(let t, let l, let b, let r) = padding {
            (top, left, bottom, right) = (t, l, b, r)
            for value in [t, l, b, r] where !(-largest...largest ~= value) {
                throw ModelError.invalid("padding \(value)")
            }
        } else {
            (top, bottom) = same(height, kernelHeight, strideY, dilationY)
            (left, right) = same(width, kernelWidth, strideX, dilationX)
        }
        let outputHeight = try size(height + top + bottom, kernelHeight, strideY, dilationY, input: height + top)
        let outputWidth = try size(width + left + right, kernelWidth, strideX, dilationX, input: width + left)
        return Resolved(
            outputHeight: outputHeight, outputWidth: outputWidth, padTop: top, padLeft: left, padBottom: bottom,
            padRight: right)
    }

    private func same(_ size: Int, _ kernel: Int, _ stride: Int, _ dilation: Int) -> (Int, Int) {
        let output = (size + stride - 1) / stride
        let total = max((output - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
        return padding == .sameLower ? (total - total / 2, total / 2) : (total / 2, total - total / 2)
    }

    private func size(_ padded: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, input: Int) throws -> Int {
        let room = padded - (kernel - 1) * dilation - 1
        guard room >= 0 else { throw ModelError.invalid("a kernel of \(kernel) does not fit in \(padded)") }
        guard roundsUp else { return room / stride + 1 }
        let size = (room + stride - 1) / stride + 1
        // A window that would begin in the padding after the end does not count.
        return (size - 1) * stride >= input ? size - 1 : size
    }
}
