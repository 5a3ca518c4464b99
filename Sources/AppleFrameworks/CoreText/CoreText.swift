// Core Text's fonts and lines, as far as drawing a label needs them.
@_exported public import Foundation
@_exported public import VisionImage

/// A string with attributes.
public typealias CFAttributedString = NSAttributedString

/// The attribute with the font of text: a `CTFont`.
public let kCTFontAttributeName: CFString = "NSFont"
/// The attribute with the colour of text: a `CGColor`. Text without one has the fill colour of the context.
public let kCTForegroundColorAttributeName: CFString = "CTForegroundColor"

/// Returns a string with attributes by the names above.
public func CFAttributedStringCreate(
    _ alloc: CFAllocator?, _ str: CFString, _ attributes: CFDictionary?
) -> CFAttributedString! {
    var found: [NSAttributedString.Key: Any] = [:]
    for (key, value) in attributes ?? [:] {
        if let key = key.base as? NSAttributedString.Key {
            found[key] = value
        } else if let name = key.base as? String {
            found[NSAttributedString.Key(rawValue: name)] = value
        }
    }
    return NSAttributedString(string: str, attributes: found)
}
