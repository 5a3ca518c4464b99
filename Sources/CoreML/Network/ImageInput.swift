import VisionInference

/// The conversion of an image to a network's input tensor: size, colours, scale and layout.
package struct ImageInput: Hashable, Sendable {
    package let name: String
    /// nil if the network takes any width.
    package let width: Int?
    /// nil if the network takes any height.
    package let height: Int?
    /// 1 or 3.
    let channels: Int
    let isBlueFirst: Bool
    let channelsLast: Bool
    /// Whether the tensor has a batch axis.
    let hasBatchAxis: Bool
    let elementType: ElementType
    /// An element of the tensor is byte × scale + bias; for red, green and blue.
    let scale: SIMD3<Float>
    let bias: SIMD3<Float>
    /// Heights and widths that are allowed, where the network takes more than one and not all.
    var sizes: ShapeRule?

    /// Returns the derivative of an image region that the network takes.
    package func derivative(region: PixelRegion, fit: Derivative.Fit) -> Derivative {
        var size = (height: max(1, Int(region.height.rounded())), width: max(1, Int(region.width.rounded())))
        if let sizes { size = sizes.nearest(height: size.height, width: size.width) }
        return Derivative(
            region: region, width: width ?? size.width, height: height ?? size.height,
            format: channels == 1 ? .greyFloat : .planarRGBFloat, fit: fit, scale: scale, bias: bias)
    }

    /// Returns the input tensor of such a derivative.
    package func input(of raster: Raster) -> NetworkInput {
        let sides = channelsLast ? [raster.height, raster.width, channels] : [channels, raster.height, raster.width]
        return NetworkInput(shape: hasBatchAxis ? [1] + sides : sides) { view in write(raster, to: view) }
    }

    private func write(_ raster: Raster, to view: TensorView) {
        raster.withUnsafePixels { pixels in
            for channel in 0..<channels {
                let plane = isBlueFirst ? channels - 1 - channel : channel
                for row in 0..<raster.height {
                    let source = (pixels + plane * raster.planeBytes + row * raster.rowBytes)
                        .assumingMemoryBound(to: Float.self)
                    let start =
                        channelsLast
                        ? row * raster.width * channels + channel : (channel * raster.height + row) * raster.width
                    view.write(source, count: raster.width, at: start, step: channelsLast ? channels : 1)
                }
            }
        }
    }
}
