/// What one run of the scene network says about a picture: everything that classification, prints and their relatives need.
package struct SceneFeatures: Sendable, Equatable {
    /// The network that made them.
    package let revision: Int
    /// The means of the last map's channels: 1280 numbers, none below 0.
    package let pooled: [Float]
    /// The scores of the thousand classes, before any function.
    package let logits: [Float]
    /// The scores of the thousand classes for each of `SceneParts`, one part after the other.
    package let parts: [Float]
    /// The maps; empty unless they were asked for.
    package let maps: [SceneMap]

    package init(revision: Int, pooled: [Float], logits: [Float], parts: [Float], maps: [SceneMap] = []) {
        self.revision = revision
        self.pooled = pooled
        self.logits = logits
        self.parts = parts
        self.maps = maps
    }

    /// The map of a level; nil unless the maps were asked for.
    package func map(_ level: SceneMap.Level) -> SceneMap? { maps.first { $0.level == level } }

    /// The memory that they take, about.
    package var byteCount: Int {
        (pooled.count + logits.count + parts.count + maps.reduce(0) { $0 + $1.values.count }) * MemoryLayout<Float>.size
    }
}

/// Features by place: what lies between the network's layers.
package struct SceneMap: Sendable, Equatable {
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
