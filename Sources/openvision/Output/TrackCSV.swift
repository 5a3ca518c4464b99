import Foundation

/// The format of tracking results in CSV files: a header, then one row per frame, in pixels from the top left.
enum TrackCSV {
    /// The columns of boxes.
    static let boxHeader = "x,y,width,height,confidence,milliseconds"
    /// The columns of rectangles: the corners clockwise from the one that was top left in the first frame.
    static let quadHeader = "x1,y1,x2,y2,x3,y3,x4,y4,confidence,milliseconds"

    static func line(_ coordinates: [Double], decimals: Int, _ confidence: Float, milliseconds: Double) -> String {
        let numbers = coordinates.map { Decimals.text($0, decimals) }
        return (numbers + [Decimals.text(Double(confidence), 4), Decimals.text(milliseconds, 3)])
            .joined(separator: ",")
    }

    /// Returns the file of one target: the path itself for a single target, else with a number in front of the
    /// extension (people.csv: people-1.csv, people-2.csv…).
    static func path(_ path: String, target: Int, of count: Int) -> String {
        guard count > 1 else { return path }
        let file = URL(fileURLWithPath: path)
        let name = file.deletingPathExtension().lastPathComponent + "-\(target + 1)"
        let folder = (path as NSString).deletingLastPathComponent
        let full = file.pathExtension.isEmpty ? name : name + "." + file.pathExtension
        return (folder as NSString).appendingPathComponent(full)
    }
}

enum Decimals {
    /// Formats a number with a fixed number of decimals, independent of the locale; "nan" when it is not finite.
    static func text(_ number: Double, _ count: Int) -> String {
        number.isFinite ? String(format: "%.\(count)f", number) : "nan"
    }

    /// Rounds a number for JSON; nil (null) when it is not finite.
    static func rounded(_ number: Double, _ count: Int) -> Double? {
        guard number.isFinite else { return nil }
        let scale = pow(10, Double(count))
        return (number * scale).rounded() / scale
    }
}
