/// How the outputs of a detector are read. Everything that is nil is found out from names and shapes.
package struct DetectorSettings: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Rows of offsets to a grid: x, y, log width, log height, objectness, classes. Strides of 8, 16, 32 (and 64).
        case yolox
        /// Rows of centre x, y, width, height in pixels, objectness, classes.
        case yolov5
        /// Columns of centre x, y, width, height in pixels, then classes.
        case yolov8
        /// An output of boxes, and one of scores for every box and class.
        case ssd
        /// An output of boxes that were chosen already, one of a score for each, one of a class for each.
        case ssdSuppressed
        /// An output of boxes that were chosen already (centre x, y, width, height), and one of scores for every class.
        case suppressed
        /// What goes into and comes out of ONNX's NonMaxSuppression: boxes, scores (a row for each class), and the
        /// batch, class and box of each choice.
        case selectedIndices
        /// Not a detector, whatever the shapes of the outputs are.
        case none
    }

    /// The four numbers of a box.
    package enum BoxOrder: String, CaseIterable, Sendable {
        /// Left, top, right, bottom.
        case xyxy
        /// Top, left, bottom, right.
        case yxyx
        /// Centre x, centre y, width, height.
        case centre
    }

    /// What the coordinates of boxes count.
    package enum Units: String, CaseIterable, Sendable {
        /// Pixels of the model's input.
        case pixels
        /// The input has width and height 1.
        case unit
    }

    package static let defaultConfidenceThreshold: Float = 0.25
    package static let defaultOverlapThreshold: Float = 0.45

    package var kind: Kind?
    /// Boxes whose best score is lower are dropped. nil: 0.25, and no limit for boxes that the model chose itself.
    package var confidenceThreshold: Float?
    /// Of two boxes of one class that overlap by more (area shared / area covered) the weaker one is dropped.
    package var overlapThreshold: Float?
    /// The outputs' names.
    package var boxes: String?
    package var scores: String?
    package var classes: String?
    package var indices: String?
    package var boxOrder: BoxOrder?
    package var units: Units?
    /// The class that stands for nothing, among the model's own numbers of classes; -1 for none.
    package var background: Int?
    /// The most boxes that come back.
    package var maximumCount: Int?

    package init() {}
}
