/// What one run of a backbone says about an image.
package struct BackboneFeatures: Sendable, Equatable {
    /// The network that made them.
    package let revision: Backbone.Revision
    /// The means of the last map's channels: 1280 numbers, none below 0.
    package let pooled: [Float]
    /// The scores of the thousand classes, before any function.
    package let logits: [Float]
    /// The scores of the thousand classes for each of `ImageHalf`, one half after the other.
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

    /// The memory that they take, about.
    package var byteCount: Int {
        (pooled.count + logits.count + halves.count + maps.reduce(0) { $0 + $1.values.count })
            * MemoryLayout<Float>.size
    }
}

/// Features by place: what lies between the network's layers.
package struct BackboneMap: Sendable, Equatable {
    package enum Level: CaseIterable, Sendable {
        /// A place for every 8 × 8 pixels of the network's input: edges, textures, small parts.
        case fine
        /// For every 16 × 16: parts of things.
        case middle
        /// For every 32 × 32, what `pooled` is the mean of: things.
        case last
    }

    package let level: Level
    package let rows: Int
    package let columns: Int
    package let channels: Int
    /// Row by row from the top, the channels of a place beside each other.
    package let values: [Float]

    package init(level: Level, rows: Int, columns: Int, channels: Int, values: [Float]) {
        self.level = level
        self.rows = rows
        self.columns = columns
        self.channels = channels
        self.values = values
    }
}
