package import VisionImage

extension Backbone {
    /// The rows and columns of an input of a backbone.
    ///
    /// The paddings in the networks' files are right for the square input, and for sides that differ from its side by
    /// multiples of 32: then every layer with a stride has an input that is even where that of the square is even.
    package struct InputSize: Hashable, Sendable {
        package let rows: Int
        package let columns: Int

        package init(rows: Int, columns: Int) {
            self.rows = rows
            self.columns = columns
        }

        package init(square side: Int) { self.init(rows: side, columns: side) }

        /// The differences of permitted sides.
        static let step = 32

        /// Returns the sizes that have about as many pixels as a square, the square first.
        ///
        /// The shorter side has at least 5/8 of the square's, and the number of pixels is within a tenth of the
        /// square's. `Training/Scene/logits.py` has the same sizes.
        package static func sizes(squareSide: Int) -> [InputSize] {
            let sides = stride(from: squareSide % step, to: 2 * squareSide, by: step).filter {
                8 * $0 >= 5 * squareSide
            }
            let area = squareSide * squareSide
            let others = sides.flatMap { rows in
                sides.map { InputSize(rows: rows, columns: $0) }.filter { size in
                    size != InputSize(square: squareSide) && 10 * abs(size.rows * size.columns - area) <= area
                }
            }
            return [InputSize(square: squareSide)] + others
        }

        /// Returns the size among `sizes(squareSide:)` whose aspect ratio is nearest to that of a region.
        package static func nearest(to region: PixelRegion, squareSide: Int) -> InputSize {
            nearest(to: region, among: sizes(squareSide: squareSide))
        }

        /// Returns the size whose aspect ratio is nearest to that of a region; of equally near ones the first.
        static func nearest(to region: PixelRegion, among sizes: [InputSize]) -> InputSize {
            var best = sizes[0]
            var least = Double.infinity
            for size in sizes {
                // No logarithms: their last bits depend on the C library.
                let ratio = Double(size.columns) * region.height / (Double(size.rows) * region.width)
                let difference = max(ratio, 1 / ratio)
                if difference < least { (best, least) = (size, difference) }
            }
            return best
        }
    }

    /// Whether the network can have an input of this size.
    package func permits(_ size: InputSize) -> Bool {
        [size.rows, size.columns].allSatisfy { $0 > InputSize.step && $0 % InputSize.step == side % InputSize.step }
    }

    /// Returns the permitted size whose aspect ratio is nearest to that of a region, with about as many pixels as the
    /// square.
    package func inputSize(nearestTo region: PixelRegion) -> InputSize {
        InputSize.nearest(to: region, squareSide: side)
    }
}
