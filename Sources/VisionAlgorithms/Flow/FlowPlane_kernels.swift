import CVisionKernels
import VisionImage

/// A plane of floats for optical flow, with margins around its rows. All zero at first.
///
/// Its pixels are written by kernels through exclusive owners; it is not shared between threads.
final class FlowPlane {
    let width: Int
    let height: Int
    /// The distance between rows in elements.
    let stride: Int
    private let memory: PixelMemory

    init(width: Int, height: Int) throws {
        (self.width, self.height) = (width, height)
        stride = cvk_flow_stride(Int32(width))
        memory = try Self.zeros(stride * height)
    }

    /// The number of elements of a plane: rows have margins.
    static func elementCount(width: Int, height: Int) -> Int { cvk_flow_stride(Int32(width)) * height }

    /// The first pixel. Valid as long as the plane exists.
    var pixels: UnsafeMutablePointer<Float> {
        memory.address.assumingMemoryBound(to: Float.self) + Int(CVK_FLOW_MARGIN)
    }

    /// Memory for work of kernels.
    static func zeros(_ count: Int) throws -> PixelMemory {
        let bytes = count * MemoryLayout<Float>.stride
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        memory.address.assumingMemoryBound(to: Float.self).initialize(repeating: 0, count: count)
        return memory
    }

    /// Creates a plane of the bytes of an image.
    convenience init(_ image: Raster) throws {
        try self.init(width: image.width, height: image.height)
        image.withUnsafePixels { source in
            cvk_u8_flow_plane(
                pixels, source.assumingMemoryBound(to: UInt8.self), image.rowBytes, Int32(width), Int32(height))
        }
    }

    /// Returns the plane at half its size, rounded up.
    func reduced() throws -> FlowPlane {
        let result = try FlowPlane(width: (width + 1) / 2, height: (height + 1) / 2)
        let work = try Self.zeros(stride)
        cvk_f32_flow_reduce(
            result.pixels, pixels, Int32(width), Int32(height), work.address.assumingMemoryBound(to: Float.self))
        withExtendedLifetime(work) {}
        return result
    }

    /// Returns the plane at twice its size, with vectors that are twice as long. The plane has half of the width and
    /// height, rounded up.
    func enlarged(width: Int, height: Int) throws -> FlowPlane {
        precondition(self.width == (width + 1) / 2 && self.height == (height + 1) / 2)
        let result = try FlowPlane(width: width, height: height)
        cvk_f32_flow_enlarge(result.pixels, pixels, Int32(width), Int32(height), 2)
        return result
    }
}

/// The two components of the flow of a level of the pyramid, and the memory to improve it.
final class FlowLevel {
    private(set) var u: FlowPlane
    private(set) var v: FlowPlane
    private var mean: FlowPlane
    private var change: FlowPlane
    private let dx: FlowPlane
    private let dy: FlowPlane
    private let spread: FlowPlane
    private let system: PixelMemory
    private let work: PixelMemory

    init(u: FlowPlane, v: FlowPlane) throws {
        (self.u, self.v) = (u, v)
        let (width, height) = (u.width, u.height)
        func plane() throws -> FlowPlane { try FlowPlane(width: width, height: height) }
        (mean, change, dx, dy, spread) = (try plane(), try plane(), try plane(), try plane(), try plane())
        system = try FlowPlane.zeros(Self.systemCount(width: width, height: height))
        work = try FlowPlane.zeros(12 * u.stride)
    }

    /// The number of elements of the system of equations.
    static func systemCount(width: Int, height: Int) -> Int { cvk_flow_system_stride(Int32(width)) * height }

    /// Finds fast motion by comparing squares of the two images.
    func match(_ first: FlowPlane, _ second: FlowPlane, share: Float, least: Float) {
        cvk_f32_flow_match(
            u.pixels, v.pixels, first.pixels, second.pixels, Int32(u.width), Int32(u.height), share,
            least * Float(CVK_FLOW_PATCH * CVK_FLOW_PATCH))
    }

    /// Warps the second image by the present flow and solves the equations for a better one.
    func refine(_ first: FlowPlane, _ second: FlowPlane, sweeps: Int, over: Float, medianRadius: Int) {
        var weights = OpticalFlow.weights
        let (width, height) = (Int32(u.width), Int32(u.height))
        let system = system.address.assumingMemoryBound(to: Float.self)
        cvk_f32_flow_warp(
            mean.pixels, change.pixels, first.pixels, second.pixels, u.pixels, v.pixels, width, height)
        cvk_f32_flow_gradient(dx.pixels, dy.pixels, mean.pixels, width, height)
        cvk_f32_flow_equations(
            system, spread.pixels, dx.pixels, dy.pixels, change.pixels, u.pixels, v.pixels, width, height, &weights,
            work.address.assumingMemoryBound(to: Float.self))
        cvk_f32_flow_relax(u.pixels, v.pixels, system, width, height, Int32(sweeps), over)
        cvk_f32_flow_median(mean.pixels, u.pixels, width, height, Int32(medianRadius))
        cvk_f32_flow_median(change.pixels, v.pixels, width, height, Int32(medianRadius))
        (u, mean) = (mean, u)
        (v, change) = (change, v)
    }
}

extension OpticalFlow {
    /// Found on pairs of images with known flow (Documentation/Accuracy.md, optical flow).
    fileprivate static var weights: cvk_flow_weights {
        cvk_flow_weights(
            brightness: 4, gradient: 10, smoothness: 60, data_scale: 2, flow_scale: 0.05, edge: 28)
    }
}
