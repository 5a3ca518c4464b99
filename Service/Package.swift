// swift-tools-version: 6.1
import PackageDescription

// The HTTP service is a package of its own, so that a package that depends on Vision fetches none of what is below.

let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
    name: "OpenVisionService",
    products: [
        .library(name: "OpenVisionService", targets: ["OpenVisionService"]),
        .executable(name: "openvision-serve", targets: ["openvision-serve"]),
    ],
    dependencies: [
        .package(name: "OpenVision", path: ".."),
        // Exact versions, so that every build has the same.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // The files of the page, as part of the binary
        .target(name: "CServicePage"),
        .target(name: "CServiceMemory"),
        .target(
            name: "OpenVisionService",
            dependencies: [
                "CServicePage",
                .product(name: "CoreML", package: "OpenVision"),
                .product(name: "VisionAnalysis", package: "OpenVision"),
                .product(name: "VisionPhotos", package: "OpenVision"),
                .product(name: "Vision", package: "OpenVision"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "openvision-serve",
            dependencies: [
                "CServiceMemory", "OpenVisionService",
                .product(name: "VisionExtras", package: "OpenVision"),
                .product(name: "VisionPhotos", package: "OpenVision"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "OpenVisionServiceTests",
            dependencies: [
                "CServicePage", "OpenVisionService",
                .product(name: "Vision", package: "OpenVision"),
                .product(name: "VisionAnalysis", package: "OpenVision"),
                .product(name: "VisionFilters", package: "OpenVision"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
