package import VisionImage

/// Dense optical flow between two grey images: for each pixel of the first, where it is in the second.
///
/// From coarse to fine in a pyramid. At each level the second image is warped by the present flow, and the equations of
/// a variational method – equal brightness and equal gradients, both robust (Brox, Bruhn, Papenberg and Weickert,
/// 2004), normalised by the gradients (Zimmer, Bruhn and Weickert, 2011), flow that is smooth except at edges of the
/// image – are relaxed; a median removes outliers (Sun, Roth and Black, 2010). At coarse levels squares are compared
/// over some distance as well, for small objects that move fast.
package struct OpticalFlow: Hashable, Sendable {
    /// The trade-off between time and accuracy.
    package enum Accuracy: Hashable, Sendable, CaseIterable {
        case low, medium, high, veryHigh
    }

    package let accuracy: Accuracy

    package init(_ accuracy: Accuracy) { self.accuracy = accuracy }

    /// Larger images are processed at a half or less of their size, until the system of equations, the largest part of
    /// the memory, has at most this many elements: 200 MB, of about 300 in all.
    private static let systemLimit = 50 << 20
    /// The most elements of a component of the flow in the size of the image.
    private static let planeLimit = 1 << 29
    /// The shorter side of the coarsest level is at least this, unless the image itself is smaller.
    private static let coarsestSide = 16
    /// The finest level at which squares are compared.
    private static let matchLevel = 3
    private static let overRelaxation: Float = 1.8

    /// The finest level that is refined: its size is that of the image divided by 2 to the power of this.
    private var finestLevel: Int {
        switch accuracy {
        case .low: 2
        case .medium: 1
        case .high, .veryHigh: 0
        }
    }

    private func steps(at level: Int) -> (warps: Int, sweeps: Int, medianRadius: Int) {
        switch accuracy {
        case .low: (level < 3 ? 2 : 3, 5, 1)
        case .medium: (level < 2 ? 1 : level == 2 ? 2 : 3, 5, 1)
        case .high: (level < 1 ? 2 : level < 3 ? 3 : 4, 6, 1)
        case .veryHigh: (6, 10, 2)
        }
    }

    /// The sizes of the levels from that of an image to the largest that is processed.
    private static func sizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
        var sizes = [(width, height)]
        while let (w, h) = sizes.last, FlowLevel.systemCount(width: w, height: h) > systemLimit, max(w, h) > 1 {
            sizes.append(((w + 1) / 2, (h + 1) / 2))
        }
        return sizes
    }

    /// Returns the size that images of a size must have for `field`: a half or less of it for large ones.
    package static func processedSize(width: Int, height: Int) -> (width: Int, height: Int) {
        sizes(width: width, height: height).last ?? (width, height)
    }

    /// Returns the flow.
    ///
    /// - Parameters:
    ///   - first: A grey byte image of the size that `processedSize(width:height:)` gives.
    ///   - second: Another one.
    ///   - width: The width of the flow.
    ///   - height: Its height.
    ///   - check: Called between the steps; may throw to stop.
    /// - Throws: `ImageError` if there is not enough memory, and the error of `check`.
    package func field(
        from first: Raster, to second: Raster, width: Int, height: Int, check: () throws -> Void = {}
    ) throws -> FlowField {
        let sizes = Self.sizes(width: width, height: height)
        precondition(first.format == .grey8 && second.format == .grey8)
        precondition(first.width == sizes[sizes.count - 1].width && first.height == sizes[sizes.count - 1].height)
        precondition(first.width == second.width && first.height == second.height)
        let elements = FlowPlane.elementCount(width: width, height: height)
        guard elements <= Self.planeLimit else { throw ImageError.outOfMemory(bytes: 8 * elements) }
        // The number of the level of the processed images.
        let fitting = sizes.count - 1
        var levels = [(try FlowPlane(first), try FlowPlane(second))]
        while let (a, b) = levels.last, min(a.width, a.height) >= 2 * Self.coarsestSide {
            levels.append((try a.reduced(), try b.reduced()))
        }
        // Small images have fewer levels.
        let finest = min(max(finestLevel, fitting), fitting + levels.count - 1)
        var (u, v): (FlowPlane?, FlowPlane?) = (nil, nil)
        for (index, (a, b)) in levels.enumerated().reversed() {
            let number = fitting + index
            try check()
            func start(_ coarser: FlowPlane?) throws -> FlowPlane {
                try coarser?.enlarged(width: a.width, height: a.height) ?? FlowPlane(width: a.width, height: a.height)
            }
            (u, v) = (try start(u), try start(v))
            guard number >= finest, let u0 = u, let v0 = v else { continue }
            let level = try FlowLevel(u: u0, v: v0)
            if number >= Self.matchLevel { level.match(a, b, share: 0.6, least: 2) }
            let (warps, sweeps, radius) = steps(at: number)
            for _ in 0..<warps {
                level.refine(a, b, sweeps: sweeps, over: Self.overRelaxation, medianRadius: radius)
                try check()
            }
            (u, v) = (level.u, level.v)
        }
        for size in sizes.dropLast().reversed() {
            try check()
            (u, v) = (
                try u?.enlarged(width: size.width, height: size.height),
                try v?.enlarged(width: size.width, height: size.height)
            )
        }
        return try FlowField(
            u: u ?? FlowPlane(width: width, height: height),
            v: v ?? FlowPlane(width: width, height: height))
    }
}

/// A vector for each pixel. Immutable.
package struct FlowField: @unchecked Sendable {
    // Unchecked: the planes are not written once the value exists.
    private let u: FlowPlane
    private let v: FlowPlane

    init(u: FlowPlane, v: FlowPlane) throws {
        (self.u, self.v) = (u, v)
    }

    package var width: Int { u.width }
    package var height: Int { u.height }

    /// Returns the vector of a pixel, in pixels: x to the right, y down.
    package subscript(x: Int, y: Int) -> SIMD2<Float> {
        precondition(x >= 0 && x < width && y >= 0 && y < height)
        return SIMD2(u.pixels[y * u.stride + x], v.pixels[y * v.stride + x])
    }

    /// Calls a closure with each row: the components of its vectors, which are valid during the call only.
    package func forEachRow(
        _ body: (_ y: Int, _ u: UnsafeBufferPointer<Float>, _ v: UnsafeBufferPointer<Float>) -> Void
    ) {
        withExtendedLifetime((u, v)) {
            for y in 0..<height {
                body(
                    y, UnsafeBufferPointer(start: u.pixels + y * u.stride, count: width),
                    UnsafeBufferPointer(start: v.pixels + y * v.stride, count: width))
            }
        }
    }

    /// The memory in bytes.
    package var byteCount: Int { 2 * u.stride * u.height * MemoryLayout<Float>.stride }
}
