// swift-tools-version: 6.3
import PackageDescription

// One list for every Swift target: language mode 6 and all that the compiler can check.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A Swift module under `Sources`; `imports` is what it may import, and the compiler refuses the rest.
func module(_ name: String, imports: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: swiftSettings)
}

func program(_ name: String, imports: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: imports, swiftSettings: swiftSettings)
}

func tests(of name: String, imports: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + imports, exclude: exclude,
        swiftSettings: swiftSettings)
}

// The layers, lowest first. A module imports from its own layer or from a lower one, never in a loop.
let cLayer: [Target] = [
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .target(name: "CTOML", linkerSettings: [.linkedLibrary("tomlplusplus")]),
    .target(name: "CSimdJSON", cxxSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("simdjson")]),
]

let coreLayer: [Target] = [
    module("Market"),
    module("Diagnostics"),
    module("Arguments", imports: ["Diagnostics"]),
    module("ExchangeRates", imports: ["Market"]),
    module("History", imports: ["Market"]),
    module("Rules", imports: ["ExchangeRates", "Market"]),
    module("Trials", imports: ["Market", "Rules"]),
]

let edgeLayer: [Target] = [
    module("EventLoop", imports: ["CSystemd", "Market"]),
    module("ServiceManager", imports: ["CSystemd"]),
    module("HTTP", imports: ["CCurl", "EventLoop", "Market"]),
    module(
        "Feeds", imports: ["CSimdJSON", "HTTP", "EventLoop", "ExchangeRates", "Market", "ReferenceRateFiles"]),
    module("ReferenceRateFiles", imports: ["CExpat", "ExchangeRates", "Market"]),
    module("Configuration", imports: ["CTOML", "Diagnostics", "ExchangeRates", "Market", "Rules", "Trials"]),
    module("Control", imports: ["Market", "Rules"]),
    module("Journal", imports: ["CSystemd", "Market", "Rules"]),
    module("Delivery", imports: ["EventLoop", "Journal", "Market", "Rules", "ServiceManager"]),
    module("Manual", imports: ["Arguments", "Configuration", "Control", "Journal", "Market", "Rules"]),
    module("Storage", imports: ["CSQLite", "Market", "Rules"]),
    module("Varlink", imports: ["EventLoop"]),
]

let appLayer: [Target] = [
    module(
        "AlertDaemon",
        imports: [
            "Market", "Diagnostics", "ExchangeRates", "History", "Rules", "EventLoop", "ServiceManager", "HTTP",
            "Feeds",
            "Configuration",
            "Control", "Delivery", "Storage", "Varlink", "Arguments", "Journal", "Manual",
        ]),
    module(
        "AlertClient",
        imports: [
            "Market", "Diagnostics", "ExchangeRates", "History", "Rules", "Configuration", "Control", "EventLoop",
            "Varlink", "Arguments", "Journal", "Manual", "ReferenceRateFiles", "Trials",
        ]),
]

let programs: [Target] = [
    program("alertd", imports: ["AlertDaemon"]),
    program("alertctl", imports: ["AlertClient"]),
    program(
        "alertbench",
        imports: [
            "AlertDaemon", "Configuration", "Delivery", "EventLoop", "ExchangeRates", "Feeds", "HTTP", "History",
            "Market", "Rules", "Storage",
        ]),
]

let testLayer: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["Market", "Rules", "EventLoop", "CFaultVFS"], path: "Tests/TestSupport",
        swiftSettings: swiftSettings),
    .target(name: "CFaultVFS", path: "Tests/CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "Replay",
        dependencies: [
            "AlertDaemon", "Configuration", "Delivery", "EventLoop", "Market", "Rules", "Storage",
        ], path: "Tests/Replay", swiftSettings: swiftSettings),
    .executableTarget(
        name: "alertreplay", dependencies: ["AlertDaemon", "Replay", "Delivery", "EventLoop", "Storage"],
        path: "Tests/alertreplay",
        swiftSettings: swiftSettings),
    tests(of: "Market"),
    tests(of: "Diagnostics"),
    tests(of: "Arguments"),
    tests(of: "ExchangeRates", imports: ["Market"]),
    .target(
        name: "FuzzEntries",
        dependencies: [
            "Configuration", "Diagnostics", "ExchangeRates", "History", "Market", "ReferenceRateFiles", "Rules",
            "Trials",
        ],
        path: "Tests/FuzzEntries",
        swiftSettings: swiftSettings),
    tests(of: "History", imports: ["FuzzEntries", "Market"]),
    tests(of: "Rules", imports: ["ExchangeRates", "Market"]),
    tests(of: "Trials", imports: ["ExchangeRates", "Market", "Rules"]),
    tests(of: "EventLoop"),
    tests(of: "ServiceManager", imports: ["EventLoop"]),
    tests(of: "HTTP", imports: ["EventLoop", "Market"]),
    tests(of: "Feeds", imports: ["EventLoop", "ExchangeRates", "HTTP", "Market"]),
    tests(of: "ReferenceRateFiles", imports: ["ExchangeRates", "FuzzEntries", "Market"]),
    tests(
        of: "Configuration",
        imports: ["Diagnostics", "ExchangeRates", "FuzzEntries", "Market", "Rules", "Trials"], exclude: ["Data"]),
    tests(of: "Control", imports: ["Market", "Rules"]),
    tests(of: "Journal", imports: ["Market", "Rules"]),
    tests(of: "Delivery", imports: ["EventLoop", "Journal", "Market", "Rules", "ServiceManager"]),
    tests(of: "Manual", imports: ["Configuration", "Control", "Delivery", "Journal", "Market", "Rules"]),
    tests(of: "Storage", imports: ["Market", "Rules"]),
    tests(of: "Varlink", imports: ["EventLoop"]),
    tests(
        of: "AlertDaemon",
        imports: [
            "Control", "EventLoop", "ExchangeRates", "Market", "Rules", "Feeds", "Delivery", "Configuration",
            "Arguments", "History",
            "ServiceManager", "Storage", "Varlink", "Replay", "Manual",
        ]),
    tests(
        of: "AlertClient",
        imports: ["Arguments", "Configuration", "Control", "History", "Journal", "Market", "Rules"]),
    .testTarget(name: "TidyTests", swiftSettings: swiftSettings),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "alertd", "alertctl", "alertreplay", "Replay", "Storage", "History", "Market", "Rules", "TestSupport",
        ],
        exclude: [
            "exchange.py", "make-test-ca.sh", "recorded_polls.py", "varlink_client.py", "with-journald.sh",
            "on-tmpfs.sh",
        ],
        swiftSettings: swiftSettings),
]

// The fuzzer needs libFuzzer: only Scripts/fuzz, which links that, builds it.
let fuzzLayer: [Target] =
    Context.environment["ALERTD_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "fuzzer", dependencies: ["FuzzEntries"], path: "Tests/Fuzzer",
            swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "alertd",
    products: [
        .executable(name: "alertd", targets: ["alertd"]),
        .executable(name: "alertctl", targets: ["alertctl"]),
        .library(name: "ExchangeRates", targets: ["Market", "ExchangeRates", "ReferenceRateFiles"]),
    ],
    targets: cLayer + coreLayer + edgeLayer + appLayer + programs + testLayer + fuzzLayer,
    cxxLanguageStandard: .cxx17
)
