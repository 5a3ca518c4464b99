/// A request about faces that accepts the faces as input.
public protocol VNFaceObservationAccepting: NSObjectProtocol {
    /// The faces to process, their boxes normalised to the region of interest. nil, the default, for all that the face
    /// detector finds there.
    ///
    /// Each gives a new observation with the same `uuid` and box, in the same order; the inputs are not changed. An
    /// empty array means no face: the detector runs for nil only. A box that is not finite or has no area makes the
    /// perform fail with `invalidArgument`.
    var inputFaceObservations: [VNFaceObservation]? { get set }
}
