/// Something with a box in the image.
public protocol BoundingBoxProviding {
    /// The box, normalised to the region of interest of the request that made it.
    var boundingBox: NormalizedRect { get }
}

/// Something with four corners in the image.
public protocol QuadrilateralProviding: BoundingBoxProviding {
    /// The upper left corner of the upright object.
    var topLeft: NormalizedPoint { get }
    /// The upper right corner of the upright object.
    var topRight: NormalizedPoint { get }
    /// The lower right corner of the upright object.
    var bottomRight: NormalizedPoint { get }
    /// The lower left corner of the upright object.
    var bottomLeft: NormalizedPoint { get }
}
