// swift-tools-version: 6.1
import PackageDescription

/// Imports stay internal unless a target says otherwise, so that no C module leaks into the public API.
let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func library(_ name: String, dependsOn dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// A library of the system's; `package` is the Debian package with its headers.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "CSources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "OpenVision",
    products: [
        .library(name: "Vision", targets: ["Vision"]),
        .library(name: "VisionExtras", targets: ["VisionExtras"]),
        .library(name: "VisionImage", targets: ["VisionImage"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        .target(name: "CVisionKernels", path: "CSources/CVisionKernels", cSettings: [.headerSearchPath("src")]),
        system("CTurboJPEG", pkgConfig: "libjpeg", package: "libjpeg62-turbo-dev"),
        system("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        system("CWebP", pkgConfig: "libwebpdemux", package: "libwebp-dev"),
        system("CTIFF", pkgConfig: "libtiff-4", package: "libtiff-dev"),
        system("CHEIF", pkgConfig: "libheif", package: "libheif-dev"),
        system("CGIF", pkgConfig: "libgif", package: "libgif-dev"),
        system("CEXIF", pkgConfig: "libexif", package: "libexif-dev"),
        .target(
            name: "CVisionDecode",
            dependencies: ["CTurboJPEG", "CPNG", "CWebP", "CTIFF", "CHEIF", "CGIF", "CEXIF"],
            path: "CSources/CVisionDecode"),
        library("VisionImage", dependsOn: ["CVisionKernels", "CVisionDecode"]),
        library("VisionAlgorithms", dependsOn: ["CVisionKernels", "VisionImage"]),
        library("Vision", dependsOn: ["VisionAlgorithms", "VisionImage"]),
        library("VisionExtras", dependsOn: ["Vision"]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CVisionKernels", "Vision", "VisionAlgorithms", "VisionExtras", "VisionImage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Benchmarks", swiftSettings: swiftSettings),
        .testTarget(
            name: "VisionAlgorithmsTests", dependencies: ["VisionAlgorithms", "VisionImage"],
            swiftSettings: swiftSettings),
        .testTarget(name: "VisionImageTests", dependencies: ["VisionImage"], swiftSettings: swiftSettings),
        .target(
            name: "CVisionKernelChecks", dependencies: ["CVisionKernels"], path: "Tests/CVisionKernelChecks",
            exclude: ["main.c"], cSettings: [.headerSearchPath("../../CSources/CVisionKernels/src")]),
        .testTarget(name: "CVisionKernelTests", dependencies: ["CVisionKernelChecks", "CVisionKernels"]),
        .testTarget(name: "APIStatusTests"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)
