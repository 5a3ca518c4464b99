// swift-tools-version: 6.1
import PackageDescription

/// Imports stay internal unless a target says otherwise, so that no C module leaks into the public API.
let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func library(_ name: String, dependsOn dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func example(_ name: String, dependsOn dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)", swiftSettings: swiftSettings)
}

/// A module with the name of one of Apple's frameworks, so that `import CoreImage` compiles. Nothing in this package
/// depends on one: other packages ask `#if canImport(CoreGraphics)`.
func framework(_ name: String, dependsOn dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/AppleFrameworks/\(name)", swiftSettings: swiftSettings)
}

/// A library of the system's; `packages` are the Debian packages with its headers.
func system(_ name: String, pkgConfig: String, packages: [String]) -> Target {
    .systemLibrary(name: name, path: "CSources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt(packages)])
}

/// The fuzzer needs a sanitizer's runtime, so only `Scripts/fuzz.sh` asks for it.
let fuzzers: [Target] =
    Context.environment["OPENVISION_FUZZ"] == nil
    ? []
    : [
        .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .target(
            name: "FuzzedImages", dependencies: ["CFuzzer", "VisionImage"], path: "Fuzz/Images",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "ModelFuzzer",
            dependencies: ["CFuzzer", "ModelFixtures", "VisionImage", "VisionInference", "VisionModels"],
            path: "Fuzz/Models",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "GridFuzzer", dependencies: ["FuzzedImages", "VisionAlgorithms", "VisionImage"], path: "Fuzz/Grids",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "TextFuzzer", dependencies: ["FuzzedImages", "VisionAlgorithms", "VisionImage"], path: "Fuzz/Text",
            swiftSettings: swiftSettings),
    ]

let package = Package(
    name: "OpenVision",
    products: [
        .library(name: "Vision", targets: ["Vision"]),
        .library(name: "VisionExtras", targets: ["VisionExtras"]),
        .library(name: "VisionImage", targets: ["VisionImage"]),
        .library(name: "CoreML", targets: ["CoreML"]),
        .library(name: "CreateML", targets: ["CreateML"]),
        .library(name: "VisionFilters", targets: ["VisionFilters"]),
        .library(
            name: "AppleFrameworks",
            targets: [
                "Accelerate", "CoreGraphics", "CoreImage", "CoreMedia", "CoreServices", "CoreVideo", "ImageIO",
                "MobileCoreServices", "UniformTypeIdentifiers", "simd",
            ]),
        // A product of its own because it needs HarfBuzz, FriBidi and fontconfig.
        .library(name: "CoreText", targets: ["CoreText"]),
        .library(name: "VisionAnalysis", targets: ["VisionAnalysis"]),
        .library(name: "VisionPhotos", targets: ["VisionPhotos"]),
        .library(name: "VisionVideo", targets: ["VisionVideo"]),
        .executable(name: "openvision", targets: ["openvision"]),
        // The C interface (CSources/COpenVision/include/openvision.h).
        .library(name: "OpenVisionC", type: .dynamic, targets: ["OpenVisionC"]),
        .plugin(name: "GenerateModelClasses", targets: ["GenerateModelClasses"]),
    ],
    dependencies: [
        // For the executables only: the libraries depend on no package. An exact version, so that every build has the
        // same.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        // Libraries of the system
        system("CTurboJPEG", pkgConfig: "libjpeg", packages: ["libjpeg62-turbo-dev"]),
        system("CPNG", pkgConfig: "libpng", packages: ["libpng-dev"]),
        system("CWebP", pkgConfig: "libwebpdemux", packages: ["libwebp-dev"]),
        system("CTIFF", pkgConfig: "libtiff-4", packages: ["libtiff-dev"]),
        system("CHEIF", pkgConfig: "libheif", packages: ["libheif-dev"]),
        system("CGIF", pkgConfig: "libgif", packages: ["libgif-dev"]),
        system("CEXIF", pkgConfig: "libexif", packages: ["libexif-dev"]),
        system("CZlib", pkgConfig: "zlib", packages: ["zlib1g-dev"]),
        system("COpenBLAS", pkgConfig: "openblas", packages: ["libopenblas-serial-dev"]),
        system("CZXing", pkgConfig: "zxing", packages: ["libzxing-dev"]),
        system("CCrypto", pkgConfig: "libcrypto", packages: ["libssl-dev"]),
        system("CSQLite", pkgConfig: "sqlite3", packages: ["libsqlite3-dev"]),
        system("CCairo", pkgConfig: "cairo-ft", packages: ["libcairo2-dev"]),
        system("CFontconfig", pkgConfig: "fontconfig", packages: ["libfontconfig-dev"]),
        system("CFriBidi", pkgConfig: "fribidi", packages: ["libfribidi-dev"]),
        system("CHarfBuzz", pkgConfig: "harfbuzz", packages: ["libharfbuzz-dev"]),

        // The library, from the bottom up
        .target(name: "CVisionKernels", path: "CSources/CVisionKernels", cSettings: [.headerSearchPath("src")]),
        .target(
            name: "CVisionDecode",
            dependencies: ["CTurboJPEG", "CPNG", "CWebP", "CTIFF", "CHEIF", "CGIF", "CEXIF"],
            path: "CSources/CVisionDecode",
            // pkg-config says of libwebpdemux 1.5 that it uses libwebp, and not that who uses both links both.
            linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("webp")]),
        .target(name: "CVisionBarcode", dependencies: ["CVisionKernels", "CZXing"], path: "CSources/CVisionBarcode"),
        .target(name: "CVisionThreads", path: "CSources/CVisionThreads"),
        // It loads libcurl when something is downloaded: nothing is linked, and no header is needed.
        .target(
            name: "CVisionDownload", path: "CSources/CVisionDownload", linkerSettings: [.linkedLibrary("dl")]),
        // It loads libpq when a database of PostgreSQL is opened: the same.
        .target(
            name: "CVisionPostgres", path: "CSources/CVisionPostgres", linkerSettings: [.linkedLibrary("dl")]),
        // It loads Hunspell when a text is corrected: the same.
        .target(
            name: "CVisionSpelling", path: "CSources/CVisionSpelling", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "CVisionNetworks", path: "CSources/CVisionNetworks", exclude: ["files"],
            cSettings: [.headerSearchPath("src")]),
        library("VisionThreads", dependsOn: ["CVisionThreads"]),
        library("VisionFiles", dependsOn: ["CCrypto"]),
        library("VisionImage", dependsOn: ["CVisionKernels", "CVisionDecode", "VisionFiles", "VisionThreads"]),
        library("VisionInference", dependsOn: ["CVisionKernels", "VisionFiles", "VisionThreads"]),
        library("NetworkMetadata", dependsOn: ["VisionFiles"]),
        library(
            "VisionAlgorithms",
            dependsOn: ["COpenBLAS", "CVisionBarcode", "CVisionKernels", "VisionImage", "VisionThreads"]),
        library(
            "VisionModels",
            dependsOn: [
                "NetworkMetadata", "CVisionDownload", "CVisionKernels", "CVisionNetworks", "CVisionSpelling", "CZlib",
                "VisionAlgorithms", "VisionFiles", "VisionImage", "VisionInference", "VisionThreads",
            ]),
        library(
            "CoreML",
            dependsOn: [
                "NetworkMetadata", "VisionFiles", "VisionImage", "VisionInference", "VisionModels", "VisionThreads",
            ]),
        library("Vision", dependsOn: ["CoreML", "VisionAlgorithms", "VisionImage", "VisionModels", "VisionThreads"]),
        library("VisionExtras", dependsOn: ["CoreML", "Vision", "VisionImage", "VisionModels", "VisionThreads"]),
        library(
            "VisionFilters",
            dependsOn: ["CVisionBarcode", "Vision", "VisionImage"]),
        library(
            "VisionPhotos",
            dependsOn: [
                "CSQLite", "CVisionPostgres", "Vision", "VisionExtras", "VisionFiles", "VisionImage", "VisionModels",
                "VisionThreads",
            ]),
        // FFmpeg's headers are needed to build it, its libraries only when a video is opened: nothing is linked.
        .target(
            name: "CVisionVideo", path: "CSources/CVisionVideo",
            linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),
        library("VisionVideo", dependsOn: ["CVisionVideo", "VisionFiles", "VisionImage", "VisionThreads"]),
        library(
            "TextLayout", dependsOn: ["CFontconfig", "CFriBidi", "CHarfBuzz", "VisionImage", "VisionThreads"]),
        library("VisionRecords", dependsOn: []),
        library(
            "VisionAnalysis",
            dependsOn: [
                "CoreML", "NetworkMetadata", "Vision", "VisionExtras", "VisionImage", "VisionRecords", "VisionThreads",
            ]),
        library(
            "VisionTraining",
            dependsOn: [
                "CVisionKernels", "VisionFiles", "VisionImage", "VisionInference", "VisionModels", "VisionPhotos",
                "VisionThreads",
            ]),
        library(
            "CreateML",
            dependsOn: [
                "CoreML", "VisionFiles", "VisionImage", "VisionInference", "VisionModels", "VisionPhotos",
                "VisionThreads", "VisionTraining",
            ]),

        // Apple's module names, for files that stay as they are
        .target(name: "CCoreImage", path: "CSources/CCoreImage"),
        framework("Accelerate", dependsOn: ["COpenBLAS", "VisionImage"]),
        framework("CoreGraphics", dependsOn: ["VisionImage"]),
        framework("CoreImage", dependsOn: ["CCoreImage", "VisionFilters", "VisionImage"]),
        framework("CoreMedia", dependsOn: ["VisionImage"]),
        framework("CoreServices", dependsOn: ["MobileCoreServices"]),
        framework("CoreText", dependsOn: ["TextLayout", "VisionImage"]),
        framework("CoreVideo", dependsOn: ["VisionImage"]),
        framework("ImageIO", dependsOn: ["VisionImage"]),
        framework("MobileCoreServices", dependsOn: ["VisionImage"]),
        framework("UniformTypeIdentifiers", dependsOn: []),
        framework("simd", dependsOn: ["VisionImage"]),

        // Classes of models: what Xcode generates
        library("ModelClasses", dependsOn: ["NetworkMetadata", "VisionInference"]),
        .executableTarget(name: "ModelClassTool", dependencies: ["ModelClasses"], swiftSettings: swiftSettings),
        .plugin(name: "GenerateModelClasses", capability: .buildTool(), dependencies: ["ModelClassTool"]),

        // The C interface
        .target(name: "COpenVision", path: "CSources/COpenVision"),
        library(
            "OpenVisionC",
            dependsOn: [
                "COpenVision", "CoreML", "NetworkMetadata", "Vision", "VisionAnalysis", "VisionExtras", "VisionImage",
                "VisionModels",
                "VisionRecords", "VisionThreads",
            ]),

        // The tool and the measurements
        .executableTarget(
            name: "openvision",
            dependencies: [
                "CCairo", "CoreML", "CreateML", "ModelClasses", "NetworkMetadata", "TextLayout", "Vision",
                "VisionAnalysis", "VisionExtras",
                "VisionFiles", "VisionImage", "VisionInference", "VisionModels", "VisionPhotos", "VisionRecords",
                "VisionThreads", "VisionTraining", "VisionVideo",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CoreML", "CreateML", "CVisionKernels", "Vision", "VisionAlgorithms", "VisionExtras", "VisionFiles",
                "VisionFilters", "VisionImage", "VisionInference", "VisionModels", "VisionThreads", "VisionTraining",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks", swiftSettings: swiftSettings),

        // Small programs, as they would be written for Apple's Vision
        example("RobotShop", dependsOn: ["CoreML", "CreateML", "Vision"]),
        example("SimilarityGame", dependsOn: ["Vision"]),
        example("TrainClassifier", dependsOn: ["CreateML"]),
        example("TrackingApp", dependsOn: ["Vision"]),
        example("BreakfastFinder", dependsOn: ["CoreML", "Vision"]),
        example("ReadingApp", dependsOn: ["Vision"]),
        example("Saliency", dependsOn: ["Vision"]),

        .executableTarget(
            name: "Conformance", dependencies: ["VisionInference"], path: "Conformance", swiftSettings: swiftSettings),

        // Tests
        .target(
            name: "CVisionKernelChecks", dependencies: ["CVisionKernels"], path: "Tests/CVisionKernelChecks",
            exclude: ["main.c"], cSettings: [.headerSearchPath("../../CSources/CVisionKernels/src")]),
        tests("CVisionKernelTests", of: ["CVisionKernelChecks", "CVisionKernels"]),
        tests("VisionThreadsTests", of: ["VisionThreads"]),
        tests("VisionFilesTests", of: ["VisionFiles"]),
        tests("VisionImageTests", of: ["VisionImage", "VisionThreads"]),
        .target(
            name: "BarcodeTestSupport", dependencies: ["CVisionBarcode"], path: "Tests/BarcodeTestSupport",
            swiftSettings: swiftSettings),
        tests("VisionAlgorithmsTests", of: ["BarcodeTestSupport", "VisionAlgorithms", "VisionImage"]),
        .target(name: "ModelFixtures", path: "Tests/ModelFixtures", swiftSettings: swiftSettings),
        tests("VisionInferenceTests", of: ["ModelFixtures", "ModelTestSupport", "VisionInference"]),
        tests(
            "VisionModelsTests",
            of: [
                "NetworkMetadata", "ModelFixtures", "ModelTestSupport", "VisionAlgorithms", "VisionFiles",
                "VisionImage", "VisionInference", "VisionModels", "VisionThreads",
            ]),
        .target(
            name: "ModelTestSupport",
            dependencies: ["CoreML", "NetworkMetadata", "VisionImage", "VisionInference", "VisionThreads"],
            path: "Tests/ModelTestSupport", swiftSettings: swiftSettings),
        tests(
            "CoreMLTests",
            of: [
                "NetworkMetadata", "CoreML", "ModelFixtures", "ModelTestSupport", "VisionImage", "VisionInference",
                "VisionModels",
            ]),
        tests(
            "ModelClassesTests",
            of: ["CoreML", "ModelClasses", "ModelFixtures", "ModelTestSupport", "VisionImage", "VisionInference"]),
        tests(
            "VisionTests",
            of: [
                "BarcodeTestSupport", "CoreML", "ModelFixtures", "ModelTestSupport", "Vision", "VisionAlgorithms",
                "VisionExtras", "VisionImage", "VisionInference", "VisionModels", "VisionThreads",
            ]),
        tests(
            "VisionTrainingTests",
            of: [
                "ModelTestSupport", "VisionFiles", "VisionImage", "VisionInference", "VisionModels", "VisionPhotos",
                "VisionThreads", "VisionTraining",
            ]),
        tests(
            "VisionPhotosTests",
            of: [
                "ModelTestSupport", "Vision", "VisionExtras", "VisionFiles", "VisionImage", "VisionModels",
                "VisionPhotos", "VisionThreads",
            ]),
        tests(
            "CreateMLTests",
            of: [
                "CoreML", "CreateML", "ModelTestSupport", "Vision", "VisionExtras", "VisionImage", "VisionInference",
                "VisionModels", "VisionTraining",
            ]),
        tests(
            "VisionAnalysisTests",
            of: [
                "NetworkMetadata", "BarcodeTestSupport", "CoreML", "ModelTestSupport", "Vision", "VisionAnalysis",
                "VisionImage",
            ]),
        tests("OpenVisionCTests", of: ["COpenVision", "ModelTestSupport", "OpenVisionC", "VisionInference"]),
        tests("VisionExtrasTests", of: ["ModelTestSupport", "Vision", "VisionExtras", "VisionImage", "VisionThreads"]),
        tests(
            "OpenVisionToolTests",
            of: [
                "ModelFixtures", "ModelTestSupport", "openvision", "Vision", "VisionExtras", "VisionFiles",
                "VisionImage", "VisionInference", "VisionModels", "VisionPhotos", "VisionRecords", "VisionThreads",
                "VisionVideo",
            ]),
        tests("VisionVideoTests", of: ["ModelTestSupport", "VisionImage", "VisionThreads", "VisionVideo"]),
        tests(
            "ExamplesTests",
            of: [
                "BreakfastFinder", "CreateML", "ModelTestSupport", "ReadingApp", "RobotShop", "Saliency",
                "SimilarityGame", "TrainClassifier", "Vision",
            ]),
        tests("RobotShopTests", of: ["BarcodeTestSupport", "CoreML", "ModelTestSupport", "RobotShop", "Vision"]),
        tests("TrackingAppTests", of: ["TrackingApp", "openvision", "Vision", "VisionVideo"]),
        // The snippets of the guides
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "CoreML", "CreateML", "ModelFixtures", "ModelTestSupport", "Vision", "VisionExtras", "VisionImage",
                "VisionModels", "VisionVideo",
            ],
            exclude: ["Photos"], swiftSettings: swiftSettings),
        tests("TextLayoutTests", of: ["TextLayout", "VisionImage"]),
        tests("VisionFiltersTests", of: ["Vision", "VisionAlgorithms", "VisionFilters", "VisionImage"]),
        tests(
            "AppleFrameworksTests",
            of: [
                "Accelerate", "CoreGraphics", "CoreImage", "CoreMedia", "CoreServices", "CoreText", "CoreVideo",
                "ImageIO", "MobileCoreServices", "UniformTypeIdentifiers", "Vision", "VisionImage", "simd",
            ]),
        tests("APIStatusTests", of: []),
    ] + fuzzers,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)
