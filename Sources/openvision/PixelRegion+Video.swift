import Foundation
import VisionImage
import VisionVideo

/// Boxes of targets in the frames of a video.
extension PixelRegion {
    /// Reads "x,y,width,height". Width and height must be above 0.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }),
            numbers[2] > 0, numbers[3] > 0
        else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Converts a box of Vision: fractions of the image, origin at the lower left corner, y up.
    init(normalised box: CGRect, in format: VideoFormat) {
        let (w, h) = (Double(format.width), Double(format.height))
        self.init(
            x: Double(box.minX) * w, y: (1 - Double(box.maxY)) * h, width: Double(box.width) * w,
            height: Double(box.height) * h)
    }

    /// Returns the box in the normalised coordinates of Vision.
    func normalised(in format: VideoFormat) -> CGRect {
        let (w, h) = (Double(format.width), Double(format.height))
        return CGRect(x: x / w, y: 1 - (y + height) / h, width: width / w, height: height / h)
    }

    /// Returns the part inside the image; nil when there is none.
    func clipped(to format: VideoFormat) -> PixelRegion? {
        let part = clamped(toWidth: format.width, height: format.height)
        return part.width > 0 && part.height > 0 ? part : nil
    }
}
