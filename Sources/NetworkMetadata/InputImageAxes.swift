/// The axes of a network's input or of an image that has the shape of one: one or three channels, rows and columns.
package struct InputImageAxes: Hashable, Sendable {
    /// 1 or 3.
    package let channels: Int
    /// nil for any number of pixels.
    package let height: Int?
    package let width: Int?
    package let channelsLast: Bool
    /// Whether there is an axis of images in front.
    package let hasBatchAxis: Bool

    /// nil if it has not 1 or 3 channels.
    ///
    /// - Parameters:
    ///   - shape: nil for an axis of any length.
    ///   - stated: What the metadata says; its sides count where the network has none.
    package init?(_ shape: [Int?], stated: ModelMetadata.Feature?) {
        guard shape.count == 3 || shape.count == 4 else { return nil }
        if shape.count == 4, let batch = shape[0], batch != 1 { return nil }
        let axes = Array(shape.suffix(3))
        let wanted: Int? = stated?.colourOrder.map { $0 == .grey ? 1 : 3 }
        func counts(_ length: Int?) -> Bool { length == 1 || length == 3 }
        switch stated?.layout {
        case .channelsFirst: channelsLast = false
        case .channelsLast: channelsLast = true
        case nil:
            // An image one pixel wide is rarer than one with channels last.
            guard counts(axes[0]) || counts(axes[2]) else { return nil }
            channelsLast = counts(axes[2]) && (!counts(axes[0]) || axes[0] == 1 && axes[2] == 3)
        }
        guard let channels = (channelsLast ? axes[2] : axes[0]) ?? wanted, counts(channels),
            wanted == nil || channels == wanted
        else { return nil }
        self.channels = channels
        height = (channelsLast ? axes[0] : axes[1]) ?? stated?.height
        width = (channelsLast ? axes[1] : axes[2]) ?? stated?.width
        for case let side? in [height, width] where !(1...ModelMetadata.longestSide).contains(side) { return nil }
        hasBatchAxis = shape.count == 4
    }

    /// nil for a side of any length.
    package var shape: [Int?] {
        let sides: [Int?] = channelsLast ? [height, width, channels] : [channels, height, width]
        return hasBatchAxis ? [1] + sides : sides
    }
}
