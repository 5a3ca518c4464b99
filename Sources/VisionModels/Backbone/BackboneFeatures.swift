/// The outputs of one run of a backbone.
package struct BackboneFeatures: Sendable, Equatable {
    /// The network that made them.
    package let revision: Backbone.Revision
    /// The means of the last map's channels: 1280 numbers, none below 0.
    package let pooled: [Float]
    /// The logits of the thousand classes.
    package let logits: [Float]
    /// The logits of the thousand classes for each `ImageHalf`, one half after the other.
    package let halves: [Float]
    /// The maps; empty unless they were asked for.
    package let maps: [BackboneMap]

    package init(
        revision: Backbone.Revision, pooled: [Float], logits: [Float], halves: [Float], maps: [BackboneMap] = []
    ) {
        self.revision = revision
        self.pooled = pooled
        self.logits = logits
        self.halves = halves
        self.maps = maps
    }

    /// The map of a level; nil unless the maps were asked for.
    package func map(_ level: BackboneMap.Level) -> BackboneMap? { maps.first { $0.level == level } }

    /// The approximate size in memory.
    package var byteCount: Int {
        (pooled.count + logits.count + halves.count + maps.reduce(0) { $0 + $1.values.count })
            * MemoryLayout<Float>.size
    }
}

/// A feature map between the network's layers.
package struct BackboneMap: Sendable, Equatable {
    package enum Level: CaseIterable, Sendable {
        /// One position for 4 × 4 pixels of the network's input: edges.
        case quarter
        /// One position for 8 × 8 pixels: textures, small parts.
        case fine
        /// One position for 16 × 16 pixels: parts of objects.
        case middle
        /// One position for 32 × 32 pixels: objects. The last convolution, whose outputs are `last`, reads it.
        case end
        /// One position for 32 × 32 pixels: objects. `pooled` is its mean.
        case last
    }

    package let level: Level
    package let rows: Int
    package let columns: Int
    package let channels: Int
    /// The values row by row from the top, with the channels of a position side by side.
    package let values: [Float]

    package init(level: Level, rows: Int, columns: Int, channels: Int, values: [Float]) {
        self.level = level
        self.rows = rows
        self.columns = columns
        self.channels = channels
        self.values = values
    }
}
