// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "convert",
    dependencies: [.package(name: "alertd", path: "../..")],
    targets: [
        .executableTarget(name: "convert", dependencies: [.product(name: "ExchangeRates", package: "alertd")])
    ]
)
