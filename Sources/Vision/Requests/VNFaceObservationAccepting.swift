/// A request that looks at faces and can be told which.
public protocol VNFaceObservationAccepting: NSObjectProtocol {
    /// The faces to look at, their boxes normalised to the region of interest. nil, the default, for all that the face
    /// detector finds there.
    ///
    /// Each gives a new observation with the same `uuid` and box, in the same order; the given ones are not changed. An empty
    /// array means no face: the detector runs for nil only. A box that is not finite or has no area makes the perform fail
    /// with `invalidArgument`.
    var inputFaceObservations: [VNFaceObservation]? { get set }
}
