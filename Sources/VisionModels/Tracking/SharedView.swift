import VisionImage

/// One patch of a frame that contains several search windows.
///
/// The features at a position depend on the pixels around it and not on the window that it belongs to. So one forward
/// pass covers windows that overlap at about the same scale. For that the windows move to the nearest position of the
/// patch's feature map, by half of the step between two at most, and to the scale of the patch.
struct SharedView: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        /// The index of the window.
        let index: Int
        /// Its first row and column in the feature map of the patch; a window may extend beyond the map.
        let row: Int
        let column: Int
    }

    let patch: ImagePatch
    let members: [Member]

    /// The size of the feature map of the patch.
    var rows: Int { patch.rows / TrackerGraphs.step }
    var columns: Int { patch.columns / TrackerGraphs.step }

    /// Returns the window of a member, aligned with the patch.
    func window(of member: Member) -> ImagePatch {
        let cell = Double(TrackerGraphs.step) / patch.scale
        return ImagePatch(
            x: patch.centre.x - patch.extent.x / 2 + Double(member.column) * cell,
            y: patch.centre.y - patch.extent.y / 2 + Double(member.row) * cell, scale: patch.scale,
            columns: TrackerGraphs.searchSide, rows: TrackerGraphs.searchSide)
    }

    /// Returns a member's part of the feature map, `TrackerGraphs.channels` numbers for each position. Beyond the map,
    /// which is outside the frame, the values of the map's edge are repeated.
    func features(of member: Member, in map: UnsafeMutableBufferPointer<Float>) -> [Float] {
        let (cells, channels) = (TrackerGraphs.searchCells, TrackerGraphs.channels)
        precondition(map.count == rows * columns * channels)
        return [Float](unsafeUninitializedCapacity: cells * cells * channels) { features, count in
            var to = 0
            for row in member.row..<member.row + cells {
                let line = min(max(row, 0), rows - 1) * columns
                for column in member.column..<member.column + cells {
                    let from = (line + min(max(column, 0), columns - 1)) * channels
                    for channel in 0..<channels { features[to + channel] = map[from + channel] }
                    to += channels
                }
            }
            count = to
        }
    }
}
