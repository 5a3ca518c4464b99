import Foundation

extension CGRect {
    /// The rectangle as messages show it: (x, y, width, height).
    var text: String { "(\(origin.x), \(origin.y), \(size.width), \(size.height))" }
}
