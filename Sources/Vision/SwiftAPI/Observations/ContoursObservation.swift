/// The outlines of the regions of an image, as a forest: contours in a contour are its holes and what lies in those.
public struct ContoursObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNContoursObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The number of all contours.
    public var contourCount: Int { classic.contourCount }

    /// The contours that lie in no other one.
    public var topLevelContours: [Contour] { classic.topLevelContours.map(Contour.init) }

    /// The paths of all contours, normalised to the region of interest.
    public var normalizedPath: CGPath { classic.normalizedPath }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNContoursObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNContoursObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns a contour by its number; nil if there is none.
    public func contourAtIndex(_ index: Int) -> Contour? {
        (try? classic.contour(at: index)).map(Contour.init)
    }

    /// Returns a contour by its position in the forest; nil if there is none. (The spelling is Apple's.)
    public func countourAtIndexPath(_ indexPath: IndexPath) -> Contour? {
        (try? classic.contour(at: indexPath)).map(Contour.init)
    }
}

extension ContoursObservation {
    /// An outline.
    public struct Contour: Hashable, Sendable, CustomStringConvertible {
        private let classic: VNContour

        /// The position in the forest of contours.
        public var indexPath: IndexPath { classic.indexPath }

        /// The contours that lie in this one.
        public var childContours: [Contour] { classic.childContours.map(Contour.init) }

        /// The number of points.
        public var pointCount: Int { classic.pointCount }

        /// The points, normalised to the region of interest.
        public var normalizedPoints: [SIMD2<Float>] { classic.normalizedPoints }

        /// The outline as a closed path, normalised to the region of interest.
        public var normalizedPath: CGPath { classic.normalizedPath }

        /// The width of the image divided by its height, by which normalised lengths are made comparable.
        public var aspectRatio: Float { classic.aspectRatio }

        /// A text for logs.
        public var description: String { "\(classic)" }

        init(_ classic: VNContour) { self.classic = classic }

        /// Returns the contour with fewer points, none of which is further than `epsilon` from the line that replaces
        /// it.
        ///
        /// - Throws: `VisionError.invalidArgument` if `epsilon` is negative or not a number.
        public func polygonApproximation(epsilon: Float) throws -> Contour {
            do {
                return Contour(try classic.polygonApproximation(epsilon: epsilon))
            } catch {
                throw VisionError(error)
            }
        }

        /// Returns the smallest circle that holds all points, in coordinates normalised to the height of the image.
        public func boundingCircle() -> NormalizedCircle {
            (try? VNGeometryUtils.boundingCircle(for: classic)).map { NormalizedCircle($0) } ?? .zero
        }

        /// Returns the area, in units of the squared height of the image.
        ///
        /// - Parameter useOrientedArea: Whether the sign says on which side of the outline the area lies.
        public func calculateArea(useOrientedArea: Bool = false) -> Double {
            var area = 0.0
            do {
                try VNGeometryUtils.calculateArea(&area, for: classic, orientedArea: useOrientedArea)
            } catch {
                return 0
            }
            return area
        }

        /// Returns the length of the outline, in units of the height of the image.
        public func calculatePerimeter() -> Double {
            var perimeter = 0.0
            do {
                try VNGeometryUtils.calculatePerimeter(&perimeter, for: classic)
            } catch {
                return 0
            }
            return perimeter
        }
    }
}
