public import VisionImage

extension vImage.PixelBuffer<vImage.Planar8> {
    /// Writes 0…255 as 0…1.
    public func convert(to destination: vImage.PixelBuffer<vImage.PlanarF>) { writeFloats(to: destination) }
}

extension vImage.PixelBuffer<vImage.PlanarF> {
    /// Writes 0…1 as 0…255, rounded and limited; NaN as 0.
    public func convert(to destination: vImage.PixelBuffer<vImage.Planar8>) { writeBytes(to: destination) }

    /// Adds a number to each pixel, multiplies it by another and adds a third. Both images may be the same.
    public func multiply(
        by value: Float, preBias: Float, postBias: Float, destination: vImage.PixelBuffer<vImage.PlanarF>
    ) {
        let count = width
        forEachRow(with: destination) { from, to in
            for x in 0..<count { to[x] = (from[x] + preBias) * value + postBias }
        }
    }

    /// Scales the image to the size of another one. See `vImageScale_PlanarF`.
    public func scale(destination: vImage.PixelBuffer<vImage.PlanarF>) {
        withUnsafePointerToVImageBuffer { from in
            _ = destination.withUnsafePointerToVImageBuffer { vImageScale_PlanarF(from, $0, nil, 0) }
        }
    }
}

extension vImage.PixelBuffer<vImage.Interleaved8x3> {
    /// Writes 0…255 as 0…1.
    public func convert(to destination: vImage.PixelBuffer<vImage.InterleavedFx3>) { writeFloats(to: destination) }
}

extension vImage.PixelBuffer<vImage.InterleavedFx3> {
    /// Writes 0…1 as 0…255, rounded and limited; NaN as 0.
    public func convert(to destination: vImage.PixelBuffer<vImage.Interleaved8x3>) { writeBytes(to: destination) }
}

extension vImage.PixelBuffer<vImage.Interleaved8x4> {
    /// Writes the pixels without alpha.
    public func convert(
        to destination: vImage.PixelBuffer<vImage.Interleaved8x3>, channelOrdering: vImage.ChannelOrdering
    ) {
        let (count, first) = (width, channelOrdering == .ARGB ? 1 : 0)
        forEachRow(with: destination) { from, to in
            for x in 0..<count {
                for component in 0..<3 { to[3 * x + component] = from[4 * x + first + component] }
            }
        }
    }

    /// Scales the image to the size of another one. See `vImageScale_ARGB8888`.
    public func scale(destination: vImage.PixelBuffer<vImage.Interleaved8x4>) {
        withUnsafePointerToVImageBuffer { from in
            _ = destination.withUnsafePointerToVImageBuffer { vImageScale_ARGB8888(from, $0, nil, 0) }
        }
    }
}

extension vImage.PixelBuffer where Format: SinglePlanePixelFormat {
    /// Joins planes of the same size: as many as a pixel has components; others are a programming error.
    fileprivate init<Plane: SinglePlanePixelFormat>(joining planes: [vImage.PixelBuffer<Plane>])
    where Plane.ComponentType == Format.ComponentType {
        let count = Format.channelsPerPlane
        precondition(planes.count == count, "There must be \(count) planes.")
        self.init(width: planes[0].width, height: planes[0].height)
        let width = width
        for (component, plane) in planes.enumerated() {
            plane.forEachRow(with: self) { from, to in
                for x in 0..<width { to[count * x + component] = from[x] }
            }
        }
    }

    /// Writes a component of each pixel to a plane.
    fileprivate func split<Plane: SinglePlanePixelFormat>(_ component: Int, to plane: vImage.PixelBuffer<Plane>)
    where Plane.ComponentType == Format.ComponentType {
        let (count, width) = (Format.channelsPerPlane, width)
        forEachRow(with: plane) { from, to in for x in 0..<width { to[x] = from[count * x + component] } }
    }
}

extension vImage.PixelBuffer<vImage.InterleavedFx3> {
    /// Joins three planes of the same size.
    public init(planarBuffers: [vImage.PixelBuffer<vImage.PlanarF>]) { self.init(joining: planarBuffers) }
}

extension vImage.PixelBuffer<vImage.Interleaved8x3> {
    /// Joins three planes of the same size.
    public init(planarBuffers: [vImage.PixelBuffer<vImage.Planar8>]) { self.init(joining: planarBuffers) }
}

extension vImage.PixelBuffer<vImage.Planar8x3> {
    /// Splits pixels into planes.
    public init(interleavedBuffer: vImage.PixelBuffer<vImage.Interleaved8x3>) {
        self.init(width: interleavedBuffer.width, height: interleavedBuffer.height)
        for component in 0..<3 {
            withUnsafePixelBuffer(at: component) { interleavedBuffer.split(component, to: $0) }
        }
    }
}

extension vImage.PixelBuffer<vImage.PlanarFx3> {
    /// Splits pixels into planes.
    public init(interleavedBuffer: vImage.PixelBuffer<vImage.InterleavedFx3>) {
        self.init(width: interleavedBuffer.width, height: interleavedBuffer.height)
        for component in 0..<3 {
            withUnsafePixelBuffer(at: component) { interleavedBuffer.split(component, to: $0) }
        }
    }
}

extension vImage.PixelBuffer where Format: SinglePlanePixelFormat, Format.ComponentType == UInt8 {
    /// Converts the pixels of an image to a layout.
    ///
    /// - Parameter cgImageFormat: The layout, with as many bytes a pixel as this buffer has; one of zeros is set to
    ///   that of the image.
    /// - Throws: `vImage.Error`.
    public init(
        cgImage: CGImage, cgImageFormat: inout vImage_CGImageFormat, pixelFormat: Format.Type = Format.self
    ) throws {
        if cgImageFormat.bitsPerPixel == 0 {
            guard let own = vImage_CGImageFormat(cgImage: cgImage) else { throw vImage.Error.invalidImageFormat }
            cgImageFormat = own
        }
        guard Int(cgImageFormat.bitsPerPixel) == 8 * Format.channelsPerPlane else {
            throw vImage.Error.invalidImageFormat
        }
        self.init(width: cgImage.width, height: cgImage.height)
        var buffer = withUnsafePointerToVImageBuffer { $0.pointee }
        let status = vImageBuffer_InitWithCGImage(
            &buffer, &cgImageFormat, nil, cgImage, vImage_Flags(kvImageNoAllocate))
        guard status == kvImageNoError else { throw vImage.Error(rawValue: status) ?? .invalidParameter }
    }

    /// Returns an image of a copy of the pixels; nil if the layout has another number of bytes a pixel.
    public func makeCGImage(cgImageFormat: vImage_CGImageFormat) -> CGImage? {
        guard Int(cgImageFormat.bitsPerPixel) == 8 * Format.channelsPerPlane else { return nil }
        return withUnsafePointerToVImageBuffer { try? $0.pointee.createCGImage(format: cgImageFormat) }
    }
}
