// Classical algorithms: plain values in, plain values out. This module has no VN… types.
//
// One folder for each subject, e.g. Fourier, Registration, Tracking. Coordinates are pixels with the origin at the top
// left, x to the right and y down; the `Vision` module converts them to Vision's normalised coordinates with the origin
// at the lower left.
