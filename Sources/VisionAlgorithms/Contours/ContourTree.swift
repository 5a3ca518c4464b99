/// The contours of an image, each with those directly within it. Immutable; contours are numbered in depth-first order.
package final class ContourTree: Sendable {
    /// A contour as it was found; `parent` is an index of an earlier one, or -1.
    package struct Found: Sendable {
        package let first: Int
        package let count: Int
        package let parent: Int
        package let isHole: Bool

        package init(first: Int, count: Int, parent: Int, isHole: Bool) {
            (self.first, self.count, self.parent, self.isHole) = (first, count, parent, isHole)
        }
    }

    private struct Node: Sendable {
        /// The range of the points.
        var first: Int
        var count: Int
        var isHole: Bool
        /// The contour around it; -1 for none.
        var parent: Int
        /// The number among those directly within the parent.
        var sibling: Int
        /// The children: a range of `children`.
        var firstChild: Int
        var childCount: Int
    }

    /// The size of the image in pixels.
    package let width: Int
    package let height: Int
    /// The ratio of width to height of what the image shows: it may have been made smaller, to whole pixels.
    package let aspectRatio: Double
    /// x + 65536 y of the pixels of all contours.
    private let points: [UInt32]
    private let nodes: [Node]
    /// The contours within each contour, then those within none.
    private let children: [Int32]

    /// - Parameter found: The contours in any order in which parents come before their children.
    package init(width: Int, height: Int, aspectRatio: Double, points: [UInt32], found: [Found]) {
        (self.width, self.height, self.aspectRatio, self.points) = (width, height, aspectRatio, points)
        // Children by parent, in the order in which they were found: counted, then put where they belong.
        let count = found.count
        var starts = [Int](repeating: 0, count: count + 2)
        func slot(_ parent: Int) -> Int { parent < 0 ? count : parent }
        for contour in found { starts[slot(contour.parent) + 1] += 1 }
        for index in 0...count { starts[index + 1] += starts[index] }
        var next = starts
        var ordered = [Int](repeating: 0, count: count)
        for (index, contour) in found.enumerated() {
            ordered[next[slot(contour.parent)]] = index
            next[slot(contour.parent)] += 1
        }
        // Depth first, without recursion: drawings may be nested thousands of times.
        var numbers = [Int32](repeating: 0, count: count)
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        var stack: [Int] = ordered[starts[count]..<starts[count + 1]].reversed()
        while let index = stack.popLast() {
            numbers[index] = Int32(nodes.count)
            let contour = found[index]
            nodes.append(
                Node(
                    first: contour.first, count: contour.count, isHole: contour.isHole,
                    parent: contour.parent < 0 ? -1 : Int(numbers[contour.parent]), sibling: 0,
                    firstChild: starts[index], childCount: starts[index + 1] - starts[index]))
            stack.append(contentsOf: ordered[starts[index]..<starts[index + 1]].reversed())
        }
        for parent in 0...count {
            for (sibling, position) in (starts[parent]..<starts[parent + 1]).enumerated() {
                nodes[Int(numbers[ordered[position]])].sibling = sibling
            }
        }
        self.nodes = nodes
        children = ordered.map { numbers[$0] }
        topLevelCount = starts[count + 1] - starts[count]
    }

    /// The number of contours.
    package var count: Int { nodes.count }
    /// The number of contours that are within no other.
    package let topLevelCount: Int

    /// Returns a contour that is within no other.
    package func topLevel(_ index: Int) -> Int { Int(children[children.count - topLevelCount + index]) }

    package func childCount(of contour: Int) -> Int { nodes[contour].childCount }

    package func child(_ index: Int, of contour: Int) -> Int { Int(children[nodes[contour].firstChild + index]) }

    /// The contour around a contour; -1 for none.
    package func parent(of contour: Int) -> Int { nodes[contour].parent }

    package func isHole(_ contour: Int) -> Bool { nodes[contour].isHole }

    /// Returns the numbers of the contours around a contour, from the outermost, and its own: each counted among those
    /// directly within the one before.
    package func path(to contour: Int) -> [Int] {
        var path: [Int] = []
        var contour = contour
        while contour >= 0 {
            path.append(nodes[contour].sibling)
            contour = nodes[contour].parent
        }
        return path.reversed()
    }

    /// The number of points of a contour.
    package func pointCount(of contour: Int) -> Int { nodes[contour].count }

    /// Returns the pixels of a contour, in order, origin at the top left: successive ones are 8-connected, and so are
    /// the last and the first.
    package func points(of contour: Int) -> [(x: Int, y: Int)] {
        let node = nodes[contour]
        return points[node.first..<node.first + node.count].map { (x: Int($0 & 0xffff), y: Int($0 >> 16)) }
    }

    /// The approximate memory use in bytes.
    package var byteCount: Int { 4 * points.count + (MemoryLayout<Node>.stride + 4) * nodes.count }
}
