package import Foundation

/// The photographs of the guides: `astronaut`, the portrait of a woman, her hands below the frame (384 × 384); `cat`,
/// which fills the picture but for its right edge (451 × 300); `coffee`, a cup (450 × 300).
package enum GuidePhotos {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("GuideTests/Photos")

    package static func url(_ name: String) -> URL { folder.appendingPathComponent("\(name).jpg") }
}
