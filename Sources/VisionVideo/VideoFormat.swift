/// The format of a video, known before its frames are read.
public struct VideoFormat: Equatable, Sendable {
    /// A rational number, such as a frame rate (30000/1001).
    public struct Ratio: Equatable, Sendable {
        /// The number above the line.
        public var numerator: Int
        /// The number below the line.
        public var denominator: Int

        /// Creates a ratio.
        public init(_ numerator: Int, _ denominator: Int) {
            self.numerator = numerator
            self.denominator = denominator
        }

        /// The quotient.
        public var value: Double { Double(numerator) / Double(denominator) }
    }

    /// The width of the upright frames in pixels.
    public var width: Int
    /// The height of the upright frames in pixels.
    public var height: Int
    /// Frames per second; 25 where the video does not state it.
    public var rate: Ratio
    /// The ratio of a pixel's width to its height.
    public var pixelAspect = Ratio(1, 1)
    /// The number of frames in the header, if it has one. It may be wrong.
    public var statedFrameCount: Int?
    /// The clockwise rotation in degrees that the video's metadata asks for: 0, 90, 180 or 270. Frames have it applied
    /// already, so that their orientation is always `.up`.
    public var rotation = 0
    /// The name of the codec in FFmpeg, such as "h264".
    public var codec = ""

    package init(
        width: Int, height: Int, rate: Ratio, pixelAspect: Ratio = Ratio(1, 1), statedFrameCount: Int? = nil,
        rotation: Int = 0, codec: String = ""
    ) {
        self.width = width
        self.height = height
        self.rate = rate
        self.pixelAspect = pixelAspect
        self.statedFrameCount = statedFrameCount
        self.rotation = rotation
        self.codec = codec
    }
}

package typealias Ratio = VideoFormat.Ratio
