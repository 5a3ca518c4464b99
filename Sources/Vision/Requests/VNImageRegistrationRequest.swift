/// A request for the transform that moves the targeted (floating) image onto the handler's image (the reference): an
/// abstract base class.
open class VNImageRegistrationRequest: VNTargetedImageRequest {}
