/// A request whose observations are all of one class.
///
/// `results` of a subclass cannot override that of `VNRequest` with another type. This protocol gives concrete requests
/// their own, which the compiler prefers; code that only knows a `VNRequest` gets the same observations through the
/// base.
public protocol VNTypedRequest: VNRequest {
    /// The class of the results.
    associatedtype ResultObservation: VNObservation
}

extension VNTypedRequest {
    /// The results of the last perform: nil before the first one and after a failure, empty if nothing was found.
    public var results: [ResultObservation]? {
        // Every job makes observations of its request's class: the cast loses nothing.
        activity.results?.compactMap { $0 as? ResultObservation }
    }
}
