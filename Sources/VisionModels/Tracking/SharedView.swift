import Foundation
import VisionImage

/// One picture of a frame that holds several search windows.
///
/// What the network makes of a place depends on the pixels about it and not on the window that it is in. So windows
/// that lie over each other, at about the same scale, are looked at once. For that they move to the nearest whole place
/// of the picture, half of one at most, and to its scale.
struct SharedView: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        /// Which of the windows it is.
        let index: Int
        /// Where its first place lies among the picture's; parts of it may lie beyond them.
        let row: Int
        let column: Int
    }

    let picture: ImagePatch
    let members: [Member]

    /// Places of the picture.
    var rows: Int { picture.rows / TrackerGraphs.step }
    var columns: Int { picture.columns / TrackerGraphs.step }

    /// The window that a member gets.
    func window(of member: Member) -> ImagePatch {
        let cell = Double(TrackerGraphs.step) / picture.scale
        return ImagePatch(
            x: picture.centre.x - picture.extent.x / 2 + Double(member.column) * cell,
            y: picture.centre.y - picture.extent.y / 2 + Double(member.row) * cell, scale: picture.scale,
            columns: TrackerGraphs.searchSide, rows: TrackerGraphs.searchSide)
    }

    /// A member's places out of those of the picture, `TrackerGraphs.channels` numbers each. Beyond the picture, where
    /// the frame has ended long before, they are taken to be as at its edge.
    func features(of member: Member, in picture: UnsafeMutableBufferPointer<Float>) -> [Float] {
        let (cells, channels) = (TrackerGraphs.searchCells, TrackerGraphs.channels)
        precondition(picture.count == rows * columns * channels)
        return [Float](unsafeUninitializedCapacity: cells * cells * channels) { features, count in
            var to = 0
            for row in member.row..<member.row + cells {
                let line = min(max(row, 0), rows - 1) * columns
                for column in member.column..<member.column + cells {
                    let from = (line + min(max(column, 0), columns - 1)) * channels
                    for channel in 0..<channels { features[to + channel] = picture[from + channel] }
                    to += channels
                }
            }
            count = to
        }
    }
}
