/// A face: a result of `faces`.
package struct FaceResult: Codable, Equatable, Sendable {
    package struct Landmarks: Codable, Equatable, Sendable {
        @Nullable package var confidence: Double?
        /// The points of each region by its name.
        package var regions: [String: [PixelPoint]]
        /// The expected error of each point of the region `allPoints`, in pixels.
        @Nullable package var precision: [Double]?

        package init(confidence: Double?, regions: [String: [PixelPoint]], precision: [Double]?) {
            self.confidence = confidence
            self.regions = regions
            self.precision = precision
        }
    }

    package var box: PixelRectangleRecord
    @Nullable package var confidence: Double?
    /// In degrees, counter-clockwise in the image.
    @Nullable package var roll: Double?
    /// In degrees, towards the right side of the image.
    @Nullable package var yaw: Double?
    /// In degrees, downwards.
    @Nullable package var pitch: Double?
    /// The face capture quality, 0 to 1; only with `--quality`.
    @Nullable package var quality: Double?
    /// Only with `--landmarks`.
    @Nullable package var landmarks: Landmarks?

    package init(
        box: PixelRectangleRecord, confidence: Double?, roll: Double?, yaw: Double?, pitch: Double?, quality: Double?,
        landmarks: Landmarks?
    ) {
        self.box = box
        self.confidence = confidence
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
        self.quality = quality
        self.landmarks = landmarks
    }
}

/// A rectangle: a result of `rectangles`.
package struct RectangleResult: Codable, Equatable, Sendable {
    @Nullable package var confidence: Double?
    /// Top left, top right, bottom right and bottom left.
    package var corners: [PixelPoint]

    package init(confidence: Double?, corners: [PixelPoint]) {
        self.confidence = confidence
        self.corners = corners
    }
}

/// A barcode: a result of `barcodes`.
package struct BarcodeResult: Codable, Equatable, Sendable {
    package var symbology: String
    /// The text; null if the bytes are not text.
    @Nullable package var payload: String?
    @Nullable package var supplement: String?
    /// The bytes, if they are not text.
    @Nullable package var base64: String?
    @Nullable package var confidence: Double?
    /// The bounding box of the corners.
    package var box: PixelRectangleRecord
    /// Top left, top right, bottom right and bottom left in the reading direction of the barcode.
    package var corners: [PixelPoint]
    package var isInverted: Bool
    package var isGS1: Bool

    package init(
        symbology: String, payload: String?, supplement: String?, base64: String?, confidence: Double?,
        box: PixelRectangleRecord, corners: [PixelPoint], isInverted: Bool, isGS1: Bool
    ) {
        self.symbology = symbology
        self.payload = payload
        self.supplement = supplement
        self.base64 = base64
        self.confidence = confidence
        self.box = box
        self.corners = corners
        self.isInverted = isInverted
        self.isGS1 = isGS1
    }
}

/// A text line: a result of `text`, in the order from top to bottom.
package struct TextLineResult: Codable, Equatable, Sendable {
    package struct Word: Codable, Equatable, Sendable {
        package var text: String
        /// In the order of the line's corners.
        package var corners: [PixelPoint]

        package init(text: String, corners: [PixelPoint]) {
            self.text = text
            self.corners = corners
        }
    }

    /// null with `--find`, as for `words`.
    @Nullable package var text: String?
    @Nullable package var confidence: Double?
    /// Top left, top right, bottom right and bottom left in the reading direction.
    package var corners: [PixelPoint]
    @Nullable package var words: [Word]?
    /// The corners of each character; null without `--characters`.
    @Nullable package var characters: [[PixelPoint]]?

    package init(
        text: String?, confidence: Double?, corners: [PixelPoint], words: [Word]?, characters: [[PixelPoint]]?
    ) {
        self.text = text
        self.confidence = confidence
        self.corners = corners
        self.words = words
        self.characters = characters
    }
}

/// The horizon of an image: the only result of `horizon`, or none.
package struct HorizonResult: Codable, Equatable, Sendable {
    /// In degrees, counter-clockwise: positive if the right end of the horizon is higher.
    @Nullable package var angle: Double?
    @Nullable package var confidence: Double?
    /// The rotation about the centre that levels the image: the rows of a matrix for pixels from the top left.
    package var transform: [[Double]]

    package init(angle: Double?, confidence: Double?, transform: [[Double]]) {
        self.angle = angle
        self.confidence = confidence
        self.transform = transform
    }
}

/// A class that an image shows: a result of `classify`.
package struct ClassResult: Codable, Equatable, Sendable {
    package var identifier: String
    @Nullable package var confidence: Double?
    /// The direct parents of the class; only with `--tree`.
    @Nullable package var parents: [String]?

    package init(identifier: String, confidence: Double?, parents: [String]?) {
        self.identifier = identifier
        self.confidence = confidence
        self.parents = parents
    }
}

/// The rank of an image: the only result of a line of `similar` and `search`.
package struct RankResult: Codable, Equatable, Sendable {
    /// From 1, the most similar.
    package var rank: Int
    /// 0 for the same image; smaller is more similar.
    @Nullable package var distance: Double?

    package init(rank: Int, distance: Double?) {
        self.rank = rank
        self.distance = distance
    }
}

/// A box: a result of `people`, `animals` and `saliency`.
package struct ObjectResult: Codable, Equatable, Sendable {
    package var box: PixelRectangleRecord
    @Nullable package var confidence: Double?
    /// `Cat` or `Dog`; null but for `animals`.
    @Nullable package var label: String?

    package init(box: PixelRectangleRecord, confidence: Double?, label: String?) {
        self.box = box
        self.confidence = confidence
        self.label = label
    }
}

/// The crop of an image: the only result of `crop`.
package struct CropResult: Codable, Equatable, Sendable {
    package var box: PixelRectangleRecord
    /// The size of the written image in pixels.
    package var width: Int
    package var height: Int

    package init(box: PixelRectangleRecord, width: Int, height: Int) {
        self.box = box
        self.width = width
        self.height = height
    }
}

/// A mask: a result of `segment`.
package struct SegmentResult: Codable, Equatable, Sendable {
    /// The number of the object in the mask that `--mask` writes; null for the mask of all people.
    @Nullable package var instance: Int?
    /// The extent of the mask.
    package var box: PixelRectangleRecord
    /// The part of the photo that the mask covers, 0 to 1.
    package var share: Double

    package init(instance: Int?, box: PixelRectangleRecord, share: Double) {
        self.instance = instance
        self.box = box
        self.share = share
    }
}
