public import Foundation
import VisionAlgorithms
public import VisionImage

/// All contours of an image, or of a region of interest, as a tree.
///
/// Top-level contours are the borders of regions; their children are the borders of the holes in them, whose children
/// are the borders of regions in the holes, and so on.
open class VNContoursObservation: VNObservation, @unchecked Sendable {
    private let tree: ContourTree

    init(_ tree: ContourTree, requestRevision: Int, timeRange: CMTimeRange) {
        self.tree = tree
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    /// The number of contours.
    open var contourCount: Int { tree.count }

    /// Returns a contour. Contours are numbered in depth-first order: each is followed by those within it.
    ///
    /// - Throws: `invalidArgument` if there is no contour of that number.
    open func contour(at contourIndex: Int) throws -> VNContour {
        guard (0..<tree.count).contains(contourIndex) else {
            throw visionError(.invalidArgument, "There is no contour \(contourIndex): there are \(tree.count).")
        }
        return VNContour(tree, index: contourIndex, requestRevision: requestRevision)
    }

    /// The number of contours that are within no other.
    open var topLevelContourCount: Int { tree.topLevelCount }

    /// The contours that are within no other.
    open var topLevelContours: [VNContour] {
        (0..<tree.topLevelCount).map { VNContour(tree, index: tree.topLevel($0), requestRevision: requestRevision) }
    }

    /// Returns the contour at an index path: the number of a top-level contour, that of its child, and so on.
    ///
    /// - Throws: `invalidArgument` if the path is empty, or there is no such contour.
    open func contour(at indexPath: IndexPath) throws -> VNContour {
        var contour = -1
        for (level, number) in indexPath.enumerated() {
            let count = level == 0 ? tree.topLevelCount : tree.childCount(of: contour)
            guard (0..<count).contains(number) else {
                throw visionError(
                    .invalidArgument,
                    "There is no contour at the index path \(indexPath.map(String.init).joined(separator: ".")): index "
                        + "\(number) at level \(level) is not below \(count).")
            }
            contour = level == 0 ? tree.topLevel(number) : tree.child(number, of: contour)
        }
        guard contour >= 0 else { throw visionError(.invalidArgument, "The index path of a contour is empty.") }
        return VNContour(tree, index: contour, requestRevision: requestRevision)
    }

    /// All contours as one path of closed subpaths, normalised to the region of interest, origin at the lower left.
    open var normalizedPath: CGPath {
        var outline = PathOutline()
        outline.reserve(elements: (0..<tree.count).reduce(0) { $0 + tree.pointCount(of: $1) + 1 })
        for index in 0..<tree.count {
            VNContour(tree, index: index, requestRevision: requestRevision).append(to: &outline)
        }
        return CGPath(outline)
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let width = archive.integer("width"),
            let height = archive.integer("height"), let aspectRatio = archive.number("aspectRatio"),
            let counts = archive.integers("pointCounts"), let parents = archive.integers("parents"),
            let pixels = archive.integers("pixels"),
            let tree = ContourTree(
                width: width, height: height, aspectRatio: aspectRatio, pointCounts: counts, parents: parents,
                pixels: pixels)
        else { return nil }
        self.tree = tree
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("width", tree.width)
        archive.set("height", tree.height)
        archive.set("aspectRatio", tree.aspectRatio)
        let all = 0..<tree.count
        archive.set("pointCounts", all.map { Int64(tree.pointCount(of: $0)) })
        archive.set("parents", all.map { Int64(tree.parent(of: $0)) })
        archive.set("pixels", all.flatMap { tree.points(of: $0).map { Int64($0.y * tree.width + $0.x) } })
    }

    /// The base description, and the number of contours.
    open override var description: String { "\(super.description) contours=\(contourCount)" }
}

extension ContourTree {
    /// Reads archived contours in depth-first order; nil if they are not valid.
    fileprivate convenience init?(
        width: Int, height: Int, aspectRatio: Double, pointCounts: [Int64], parents: [Int64], pixels: [Int64]
    ) {
        let sides = 1...ContourFinder.sizeLimit
        guard sides.contains(width), sides.contains(height), aspectRatio.isFinite, aspectRatio > 0,
            pointCounts.count == parents.count
        else { return nil }
        var found: [Found] = []
        var (first, levels): (Int, [Bool]) = (0, [])
        for (index, (count, parent)) in zip(pointCounts, parents).enumerated() {
            guard count > 0, count <= Int64(pixels.count - first), parent >= -1, parent < Int64(index) else {
                return nil
            }
            let isHole = parent >= 0 && !levels[Int(parent)]
            levels.append(isHole)
            found.append(Found(first: first, count: Int(count), parent: Int(parent), isHole: isHole))
            first += Int(count)
        }
        let all = Int64(width) * Int64(height)
        guard first == pixels.count, pixels.allSatisfy({ $0 >= 0 && $0 < all }) else { return nil }
        let points = pixels.map { pixel in
            let (y, x) = Int(pixel).quotientAndRemainder(dividingBy: width)
            return UInt32(x) | UInt32(y) << 16
        }
        self.init(width: width, height: height, aspectRatio: aspectRatio, points: points, found: found)
    }
}
