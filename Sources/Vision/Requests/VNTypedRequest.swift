/// A request whose observations are all of one class.
///
/// `results` of a subclass cannot override that of `VNRequest` with another type. This protocol gives concrete requests
/// their own, which the compiler prefers; code that only knows a `VNRequest` sees the same observations through the base.
public protocol VNTypedRequest: VNRequest {
    /// The class of what is found.
    associatedtype ResultObservation: VNObservation
}

extension VNTypedRequest {
    /// What the last perform found: nil before the first one and when it failed, empty when it found nothing.
    public var results: [ResultObservation]? {
        // Every job makes observations of its request's class: nothing is lost here.
        activity.results?.compactMap { $0 as? ResultObservation }
    }
}
