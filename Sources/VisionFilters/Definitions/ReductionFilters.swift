import Foundation
import VisionImage

extension FilterDefinition {
    private static func reduction(_ name: String, _ kind: ReductionRecipe.Kind) -> FilterDefinition {
        FilterDefinition(
            name, kCICategoryReduction, [(kCIInputImageKey, .none), (kCIInputExtentKey, .none)]
        ) { values in
            guard let image = values.image() else { return nil }
            // What lies outside of the image is transparent and counts, but a sum over it is not waited for.
            guard let area = PixelRect(values.rect(kCIInputExtentKey)?.standardized ?? image.extent),
                area.width.multipliedReportingOverflow(by: area.height).partialValue <= 1 << 32
            else { return nil }
            return CIImage(
                ReductionRecipe(image: image, area: area, kind: kind),
                extent: CGRect(x: 0, y: 0, width: 1, height: 1))
        }
    }

    static let reductions: [FilterDefinition] = [
        reduction("CIAreaAverage", .mean), reduction("CIAreaMaximum", .largest), reduction("CIAreaMinimum", .smallest),
    ]
}
