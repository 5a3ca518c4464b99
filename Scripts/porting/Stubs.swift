// Stands for the user interface and the camera while Scripts/check-porting.sh checks the rest of a file. A member of
// these types is anything: mistakes in their use are not found.

import CoreGraphics
import CoreImage
import Foundation

@dynamicMemberLookup
@dynamicCallable
struct Anything: ExpressibleByNilLiteral {
    init() {}
    init(nilLiteral: ()) {}
    subscript(dynamicMember member: String) -> Anything {
        get { Anything() }
        nonmutating set {}
    }
    func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> Anything { Anything() }
}

@dynamicMemberLookup
class InterfaceObject: NSObject {
    subscript(dynamicMember member: String) -> Anything {
        get { Anything() }
        set {}
    }
    static subscript(dynamicMember member: String) -> Anything { Anything() }
}

class UIResponder: InterfaceObject {}
class UIView: UIResponder {}
class UIImageView: UIView {}
class UILabel: UIView {}
class UIViewController: UIResponder {
    func viewDidLoad() {}
    func viewWillAppear(_ animated: Bool) {}
    func viewDidAppear(_ animated: Bool) {}
    func viewWillDisappear(_ animated: Bool) {}
    func viewDidLayoutSubviews() {}
}
class UIColor: InterfaceObject {
    var cgColor: CGColor { .black }
}
class UIImage: InterfaceObject {
    enum Orientation: Int { case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored }
    override init() {}
    init?(named name: String) { nil }
    init?(data: Data) { nil }
    init(cgImage: CGImage) {}
    init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {}
    init(ciImage: CIImage) {}
    var cgImage: CGImage? { nil }
    var ciImage: CIImage? { nil }
    var size: CGSize { .zero }
    var scale: CGFloat { 1 }
    var imageOrientation: Orientation { .up }
    func pngData() -> Data? { nil }
    func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}
extension CIImage {
    convenience init?(image: UIImage) { nil }
}
class CALayer: InterfaceObject {}
class CAShapeLayer: CALayer {}
class AVCaptureSession: InterfaceObject {}
class AVCaptureDevice: InterfaceObject {}
class AVCaptureOutput: InterfaceObject {}
class AVCaptureConnection: InterfaceObject {}
class AVCaptureVideoDataOutput: AVCaptureOutput {}
class AVCaptureVideoPreviewLayer: CALayer {}
protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {}
