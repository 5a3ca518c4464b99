/// The output of `openvision … --json`: one JSON object per line, described in `Documentation/JSON.md`.
package enum Records {
    /// The version of the records. It increases when a field is renamed, removed or changes its meaning.
    package static let schema = 1
}

/// A field that is `null`, not absent, when it has no value.
@propertyWrapper
package struct Nullable<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// An image or a video: its path on the command line, and the size of the upright image in pixels; null if it cannot be
/// read.
package struct MediaReference: Codable, Equatable, Sendable {
    package var path: String
    @Nullable package var width: Int?
    @Nullable package var height: Int?
    /// The number of the page from 1, for the pages of a file with several; null otherwise.
    @Nullable package var page: Int?

    package init(path: String, width: Int? = nil, height: Int? = nil, page: Int? = nil) {
        self.path = path
        self.width = width
        self.height = height
        self.page = page
    }
}

/// A point in pixels of the upright image from the top left, encoded as `[x, y]`; null for a coordinate that is not
/// finite.
package struct PixelPoint: Codable, Equatable, Sendable {
    package var x: Double?
    package var y: Double?

    package init(x: Double, y: Double, decimals: Int = 2) {
        self.x = x.rounded(decimals: decimals)
        self.y = y.rounded(decimals: decimals)
    }

    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decodeIfPresent(Double.self)
        y = try container.decodeIfPresent(Double.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in [x, y] {
            if let value { try container.encode(value) } else { try container.encodeNil() }
        }
    }
}

/// A box in pixels of the upright image; x and y are those of its top left corner.
package struct PixelRectangleRecord: Codable, Equatable, Sendable {
    @Nullable package var x: Double?
    @Nullable package var y: Double?
    @Nullable package var width: Double?
    @Nullable package var height: Double?

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x.rounded(decimals: 2)
        self.y = y.rounded(decimals: 2)
        self.width = width.rounded(decimals: 2)
        self.height = height.rounded(decimals: 2)
    }
}

extension Double {
    /// Rounds to a number of decimals; nil, which is encoded as null, when the number is not finite.
    package func rounded(decimals: Int) -> Double? {
        guard isFinite else { return nil }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let result = (self * scale).rounded() / scale
        return result.isFinite ? result : self
    }
}

/// The results of an image; one line per image.
package struct ImageRecord<Result: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    package var schema = Records.schema
    /// The name of the command.
    package var kind: String
    package var image: MediaReference
    /// The most confident first, unless the command specifies another order.
    package var results: [Result]
    /// Why the image could not be processed; null if it was.
    @Nullable package var error: String?

    package init(kind: String, image: MediaReference, results: [Result], error: String? = nil) {
        self.kind = kind
        self.image = image
        self.results = results
        self.error = error
    }
}

/// The results of a video frame; one line per frame.
package struct FrameRecord<Result: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    package var schema = Records.schema
    /// The name of the command.
    package var kind: String
    /// The video.
    package var image: MediaReference
    /// The number of the frame, from 0.
    package var frame: Int
    /// The time since the first frame of the video, in seconds.
    @Nullable package var time: Double?
    /// The processing time of the frame without decoding.
    @Nullable package var milliseconds: Double?
    /// In the order of the targets.
    package var results: [Result]
    @Nullable package var error: String?

    package init(
        kind: String, image: MediaReference, frame: Int, time: Double, milliseconds: Double?, results: [Result],
        error: String? = nil
    ) {
        self.kind = kind
        self.image = image
        self.frame = frame
        self.time = time.rounded(decimals: 4)
        self.milliseconds = milliseconds.flatMap { $0.rounded(decimals: 3) }
        self.results = results
        self.error = error
    }
}

/// A record with fields of its own, preceded by the two fields of every record.
package struct HeadedRecord<Body: Encodable>: Encodable {
    private enum Key: String, CodingKey { case schema, kind }

    package var kind: String
    package var body: Body

    package init(kind: String, _ body: Body) {
        self.kind = kind
        self.body = body
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Records.schema, forKey: .schema)
        try container.encode(kind, forKey: .kind)
        try body.encode(to: encoder)
    }
}
