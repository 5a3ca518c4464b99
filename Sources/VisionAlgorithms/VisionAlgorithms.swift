// Classical algorithms: plain values in, plain values out. Nothing here knows a VN… type.
//
// One folder a subject: Fourier, Registration, Tracking. Coordinates are pixels with the origin at the top left, x to the
// right and y down; the `Vision` module turns them into Vision's normalised lower-left ones.
