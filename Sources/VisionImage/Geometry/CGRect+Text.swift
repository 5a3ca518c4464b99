package import Foundation

extension CGRect {
    /// The rectangle in the form used in messages: (x, y, width, height).
    package var text: String { "(\(origin.x), \(origin.y), \(size.width), \(size.height))" }
}
