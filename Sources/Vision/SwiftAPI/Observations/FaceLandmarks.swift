extension FaceObservation {
    /// The landmarks of a face.
    public struct Landmarks2D: Codable, Hashable, Sendable, CustomStringConvertible {
        let classic: VNFaceLandmarks2D
        /// The request that made them.
        public let originatingRequestDescriptor: RequestDescriptor?

        /// All points.
        public var allPoints: Region { region(classic.allPoints) }
        /// The outline of the face, from one temple along the chin to the other.
        public var faceContour: Region { region(classic.faceContour) }
        /// The outline of the left eye.
        public var leftEye: Region { region(classic.leftEye) }
        /// The outline of the right eye.
        public var rightEye: Region { region(classic.rightEye) }
        /// The left eyebrow.
        public var leftEyebrow: Region { region(classic.leftEyebrow) }
        /// The right eyebrow.
        public var rightEyebrow: Region { region(classic.rightEyebrow) }
        /// The outline of the nose.
        public var nose: Region { region(classic.nose) }
        /// The bridge of the nose.
        public var noseCrest: Region { region(classic.noseCrest) }
        /// The line down the middle of the face.
        public var medianLine: Region { region(classic.medianLine) }
        /// The outline of the lips.
        public var outerLips: Region { region(classic.outerLips) }
        /// The outline of the opening of the mouth.
        public var innerLips: Region { region(classic.innerLips) }
        /// The left pupil.
        public var leftPupil: Region { region(classic.leftPupil) }
        /// The right pupil.
        public var rightPupil: Region { region(classic.rightPupil) }

        /// A text for logs.
        public var description: String { "\(allPoints.points.count) points" }

        init(classic: VNFaceLandmarks2D, originatingRequestDescriptor: RequestDescriptor?) {
            (self.classic, self.originatingRequestDescriptor) = (classic, originatingRequestDescriptor)
        }

        private func region(_ region: VNFaceLandmarkRegion2D?) -> Region {
            Region(classic: region, originatingRequestDescriptor: originatingRequestDescriptor)
        }

        private enum Key: CodingKey {
            case landmarks, descriptor
        }

        /// Encodes the landmarks.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(classic.archive(), forKey: .landmarks)
            try container.encodeIfPresent(originatingRequestDescriptor, forKey: .descriptor)
        }

        /// Decodes landmarks.
        ///
        /// - Throws: `DecodingError` if a value is missing or invalid.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let classic = try container.decodeArchive(forKey: .landmarks) { VNFaceLandmarks2D(archive: $0) }
            self.init(
                classic: classic,
                originatingRequestDescriptor: try container.decodeIfPresent(
                    RequestDescriptor.self, forKey: .descriptor))
        }
    }
}

extension FaceObservation.Landmarks2D {
    /// Some of the points of a face.
    public struct Region: Codable, Hashable, Sendable, CustomStringConvertible {
        /// How the points of a region are connected.
        public enum PointsClassification: Codable, Hashable, Sendable {
            /// Single points.
            case disconnected
            /// A line through the points.
            case openPath
            /// An outline through the points.
            case closedPath
        }

        private let classic: VNFaceLandmarkRegion2D?
        /// The request that made them.
        public let originatingRequestDescriptor: RequestDescriptor?

        /// The points, normalised to the bounding box of the face; they may lie outside of it.
        public var points: [NormalizedPoint] {
            classic?.normalizedPoints.map(NormalizedPoint.init(normalizedPoint:)) ?? []
        }

        /// How the points are connected.
        public var pointsClassification: PointsClassification {
            switch classic?.pointsClassification {
            case .openPath: .openPath
            case .closedPath: .closedPath
            case .disconnected, nil: .disconnected
            }
        }

        /// The expected error of each point, relative to the width of the face's box; nil if it is not known.
        public var precisionEstimatesPerPoint: [Float]? { classic?.precisionEstimatesPerPoint }

        /// A text for logs.
        public var description: String { "\(points.count) points" }

        fileprivate init(classic: VNFaceLandmarkRegion2D?, originatingRequestDescriptor: RequestDescriptor?) {
            (self.classic, self.originatingRequestDescriptor) = (classic, originatingRequestDescriptor)
        }

        private enum Key: CodingKey {
            case region, descriptor
        }

        /// Encodes the region.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeIfPresent(classic?.archive(), forKey: .region)
            try container.encodeIfPresent(originatingRequestDescriptor, forKey: .descriptor)
        }

        /// Decodes a region.
        ///
        /// - Throws: `DecodingError` if a value is missing or invalid.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            classic =
                container.contains(.region)
                ? try container.decodeArchive(forKey: .region) { VNFaceLandmarkRegion2D(archive: $0) } : nil
            originatingRequestDescriptor = try container.decodeIfPresent(RequestDescriptor.self, forKey: .descriptor)
        }

        /// Returns the points in pixels of the image.
        ///
        /// - Parameters:
        ///   - imageSize: The size of the upright image in pixels.
        ///   - origin: The origin of the result.
        public func pointsInImageCoordinates(
            _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
        ) -> [CGPoint] {
            (classic?.pointsInImage(imageSize: imageSize) ?? []).map { origin.convert($0, in: imageSize.height) }
        }
    }
}
