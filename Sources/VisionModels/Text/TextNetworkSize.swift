/// The sizes in which PP-OCRv6's networks for text are in the model store.
package enum TextNetworkSize: CaseIterable, Sendable {
    /// The recogniser knows 18,708 characters.
    case small
    /// The detector takes a third of the time, the recogniser a fifth: of 6,904 characters, without kana.
    case tiny

    /// The model that finds lines.
    package var detector: String { self == .small ? "pp-ocrv6-det-small" : "pp-ocrv6-det-tiny" }
    /// The model that reads them.
    package var recogniser: String { self == .small ? "pp-ocrv6-rec-small" : "pp-ocrv6-rec-tiny" }
    /// The built-in calibrations in 8 bits of both.
    var detectorCalibration: String { "text-detection-\(self).table" }
    var recogniserCalibration: String { "text-recognition-\(self).table" }
}
