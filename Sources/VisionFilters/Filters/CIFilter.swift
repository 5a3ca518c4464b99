public import Foundation
public import VisionImage

/// A step that makes an image of others and of values, which are set by key. Nothing is computed until the result is
/// rendered by a `CIContext` or read by a request.
///
/// Colours are not converted: formulas apply to the stored values of the pixels, as on Apple's systems in a context
/// whose `workingColorSpace` is `NSNull()`. Numbers that are not finite count as not set; too large ones are limited.
/// Not thread-safe, but images that it made are.
open class CIFilter: NSObject, NSCopying {
    private let definition: FilterDefinition
    private var values: [String: Any] = [:]

    /// Creates a filter of a subclass, which overrides `outputImage`.
    public override init() {
        definition = .none
        super.init()
    }

    init(_ definition: FilterDefinition) {
        self.definition = definition
        values = definition.defaults
        super.init()
    }

    /// Creates a filter by its name, such as `CIGaussianBlur`, with default values; nil for a name that is not there.
    public convenience init?(name: String) {
        guard let definition = FilterDefinition.all[name] else { return nil }
        self.init(definition)
    }

    /// Creates a filter by its name with values by their keys; nil for a name that is not there.
    public convenience init?(name: String, parameters params: [String: Any]?) {
        self.init(name: name)
        for (key, value) in params ?? [:] { setValue(value, forKey: key) }
    }

    /// The name of the filter.
    open var name: String { definition.name.isEmpty ? "\(type(of: self))" : definition.name }

    /// The keys of the inputs.
    open var inputKeys: [String] { definition.inputs.map(\.key) }

    /// The keys of the results.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// The filter's name, categories and inputs with their default values.
    open var attributes: [String: Any] {
        var result: [String: Any] = [
            kCIAttributeFilterName: name,
            kCIAttributeFilterDisplayName: CIFilter.localizedName(forFilterName: name) ?? name,
            kCIAttributeFilterCategories: definition.categories,
        ]
        for input in definition.inputs {
            result[input.key] = input.standard.value.map { [kCIAttributeDefault: $0] } ?? [:]
        }
        return result
    }

    /// Gives all inputs their default values; images are removed.
    open func setDefaults() { values = definition.defaults }

    /// Sets an input. A key that the filter does not have has no effect on the image.
    open func setValue(_ value: Any?, forKey key: String) { values[key] = value }

    /// The value of an input, or the image of the key `outputImage`.
    open func value(forKey key: String) -> Any? { key == kCIOutputImageKey ? outputImage : values[key] }

    /// The image that the filter makes; nil while an image is missing that it needs, or if values make no image.
    open var outputImage: CIImage? {
        definition.make(FilterValues(values: values, defaults: definition.defaults))
    }

    /// Returns a filter with the same name and values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CIFilter(definition)
        copy.values = values
        return copy
    }

    /// The names of all filters in a category; of all filters for nil.
    public class func filterNames(inCategory category: String?) -> [String] {
        FilterDefinition.all.values.filter { category.map($0.categories.contains) ?? true }.map(\.name).sorted()
    }

    /// The names of all filters that are in each of the categories.
    public class func filterNames(inCategories categories: [String]?) -> [String] {
        FilterDefinition.all.values.filter { definition in
            (categories ?? []).allSatisfy(definition.categories.contains)
        }.map(\.name).sorted()
    }

    /// The name of a filter in words: `Gaussian Blur` for `CIGaussianBlur`; nil for a name that is not there.
    public class func localizedName(forFilterName filterName: String) -> String? {
        guard FilterDefinition.all[filterName] != nil else { return nil }
        return filterName.dropFirst(2).reduce(into: "") { text, letter in
            if letter.isUppercase, let last = text.last, last.isLowercase { text.append(" ") }
            text.append(letter)
        }
    }
}

extension CIImage {
    /// Returns the image that the filter of this name makes of this one with values by their keys. A name that is not
    /// there leaves the image as it is; values that make no image give an empty one.
    public func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
        guard let filter = CIFilter(name: filterName, parameters: params) else { return self }
        filter.setValue(self, forKey: kCIInputImageKey)
        return filter.outputImage ?? .empty()
    }

    /// Returns the image that the filter of this name makes of this one with default values.
    public func applyingFilter(_ filterName: String) -> CIImage { applyingFilter(filterName, parameters: [:]) }
}
