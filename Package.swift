// swift-tools-version: 6.1
import PackageDescription

/// Imports stay internal unless a target says otherwise, so that no C module leaks into the public API.
let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func library(_ name: String, dependsOn dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

let package = Package(
    name: "OpenVision",
    products: [
        .library(name: "Vision", targets: ["Vision"]),
        .library(name: "VisionExtras", targets: ["VisionExtras"]),
        .library(name: "VisionImage", targets: ["VisionImage"]),
    ],
    targets: [
        .target(name: "CVisionKernels", path: "CSources/CVisionKernels"),
        library("VisionImage", dependsOn: ["CVisionKernels"]),
        library("VisionAlgorithms", dependsOn: ["CVisionKernels", "VisionImage"]),
        library("Vision", dependsOn: ["VisionAlgorithms", "VisionImage"]),
        library("VisionExtras", dependsOn: ["Vision"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)
