// swift-tools-version: 6.3
import PackageDescription

/// In continuous integration only: a library that deprecates a function must not break a user's build.
let warnings: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

// One list for every Swift target: language mode 6 and all that the compiler can check.
let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + warnings

/// The floors, lowest first: the folders of Sources, and of the tests that mirror them.
enum Floor: String {
    case c = "C"
    case core = "Core"
    case edge = "Edge"
    case app = "App"
    case programs = "Programs"
}

/// Modules that a poll or a start hardly runs: a release compiles them for size, which saves a tenth of them.
let compiledForSize: Set = [
    "AlertDaemon", "Arguments", "Control", "Delivery", "HTTPServer", "Manual", "Metrics", "NATS", "Notifications",
    "Receivers", "Trials", "Varlink",
]

/// A Swift module; `imports` is what it may import, and the compiler refuses the rest.
func module(
    _ name: String, on floor: Floor, imports: [Target.Dependency] = [], exclude: [String] = [],
    plugins: [Target.PluginUsage] = []
) -> Target {
    let optimization: [SwiftSetting] =
        compiledForSize.contains(name) ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []
    return .target(
        name: name, dependencies: imports, path: "Sources/\(floor.rawValue)/\(name)", exclude: exclude,
        swiftSettings: swiftSettings + optimization, plugins: plugins)
}

func program(_ name: String, imports: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: imports, path: "Sources/Programs/\(name)", swiftSettings: swiftSettings)
}

/// A library of the system, known by a module map.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A module in C or C++. A release stops where memory that it writes or reads is too small, or a stack is overwritten;
/// `Scripts/check-hardening` looks for that in the programs.
func codeInC(_ name: String, flags: [String] = [], libraries: [String] = []) -> Target {
    let hardening = [
        "-fstack-protector-strong", "-fstack-clash-protection", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3",
    ]
    return .target(
        name: name, path: "Sources/C/\(name)",
        cSettings: [.unsafeFlags(hardening, .when(configuration: .release))],
        cxxSettings: [.unsafeFlags(flags), .unsafeFlags(hardening, .when(configuration: .release))],
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(
    of name: String, on floor: Floor, imports: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + imports,
        path: "Tests/\(floor.rawValue)/\(name)Tests", exclude: exclude, swiftSettings: swiftSettings)
}

/// What several test targets use.
func support(_ name: String, imports: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: imports, path: "Tests/Support/\(name)", swiftSettings: swiftSettings)
}

// A module imports from its own floor or from a lower one, never in a loop.
let cFloor: [Target] = [
    library("CSystemd", pkgConfig: "libsystemd", package: "libsystemd-dev"),
    library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    library("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
    codeInC("CCurl", libraries: ["curl"]),
    codeInC("CBus", libraries: ["systemd"]),
    codeInC("CCrypto", libraries: ["crypto"]),
    codeInC("CMemory"),
    codeInC("CMicroHTTPD"),
    codeInC("CTLS", libraries: ["ssl", "crypto"]),
    codeInC("CTOML"),
    codeInC("CSimdJSON", flags: ["-O2"], libraries: ["simdjson"]),
]

let coreFloor: [Target] = [
    module("Text", on: .core),
    module("Time", on: .core),
    module("Market", on: .core, imports: ["Text", "Time"]),
    module("PriceSources", on: .core, imports: ["Time"]),
    module("Diagnostics", on: .core),
    module("InterfaceLanguage", on: .core),
    module("Arguments", on: .core, imports: ["Diagnostics"]),
    module("ExchangeRates", on: .core, imports: ["Market", "Time"]),
    module("History", on: .core, imports: ["Market", "Time"]),
    module("Events", on: .core, imports: ["Market", "Time"]),
    module("Rules", on: .core, imports: ["Events", "ExchangeRates", "Market", "Time"]),
    module("Receivers", on: .core, imports: ["Events", "Market", "Rules", "Time"]),
    module("Engine", on: .core, imports: ["Events", "ExchangeRates", "History", "Market", "Rules", "Time"]),
    module("Charts", on: .core, imports: ["Diagnostics", "Market", "Time"]),
    module("Trials", on: .core, imports: ["Engine", "Events", "ExchangeRates", "Market", "Rules", "Time"]),
]

let edgeFloor: [Target] = [
    module("UnixSockets", on: .edge),
    module("EventLoop", on: .edge, imports: ["CSystemd", "Time", "UnixSockets"]),
    module("ServiceManager", on: .edge, imports: ["CSystemd"]),
    module("HTTP", on: .edge, imports: ["CCurl", "CTLS", "EventLoop", "Text", "Time", "UnixSockets"]),
    module("HTTPServer", on: .edge, imports: ["CMicroHTTPD", "Time", "UnixSockets"]),
    module(
        "Feeds", on: .edge,
        imports: [
            "CSimdJSON", "EventLoop", "ExchangeRates", "HTTP", "JSON", "Market", "PriceSources", "ReferenceRateFiles",
            "Text", "Time",
        ]),
    module("ReferenceRateFiles", on: .edge, imports: ["CExpat", "ExchangeRates", "Market", "Time"]),
    module(
        "Configuration", on: .edge,
        imports: [
            "CTOML", "Diagnostics", "Engine", "Events", "ExchangeRates", "HTTPServer", "Market", "PriceSources",
            "Receivers", "Rules", "Text", "Time", "Trials",
        ]),
    module("JSON", on: .edge, imports: ["CSimdJSON"]),
    module("Metrics", on: .edge, imports: ["Market", "Time"]),
    module("Desktop", on: .edge, imports: ["CBus", "UnixSockets"]),
    module("NATS", on: .edge, imports: ["EventLoop", "HTTP", "JSON", "Receivers", "Text", "Time"]),
    module(
        "Control", on: .edge, imports: ["Events", "ExchangeRates", "JSON", "Market", "Time"],
        plugins: ["GenerateInterface"]),
    module("Journal", on: .edge, imports: ["CSystemd", "Engine", "Events", "Market", "Rules", "Time"]),
    module(
        "Delivery", on: .edge,
        imports: [
            "Control", "Engine", "EventLoop", "Events", "JSON", "Journal", "Market", "Rules", "ServiceManager", "Time",
            "UnixSockets",
        ]),
    module(
        "Manual", on: .edge,
        imports: [
            "Arguments", "Configuration", "Control", "Engine", "Events", "InterfaceLanguage", "Journal", "Market",
            "PriceSources", "Receivers", "Rules", "Time",
        ]),
    module(
        "Notifications", on: .edge,
        imports: [
            "CCrypto", "Control", "EventLoop", "Events", "HTTP", "JSON", "Market", "NATS", "Receivers", "Rules",
            "ServiceManager", "Text", "Time",
        ]),
    module(
        "Storage", on: .edge,
        imports: [
            "CSQLite", "Control", "Engine", "Events", "History", "JSON", "Market", "Receivers", "Rules", "Time",
        ]),
    module("Terminal", on: .edge, imports: ["Charts", "Time"]),
    module("VarlinkMessages", on: .edge, imports: ["JSON", "UnixSockets"]),
    module("Varlink", on: .edge, imports: ["EventLoop", "JSON", "UnixSockets", "VarlinkMessages"]),
]

let appFloor: [Target] = [
    module(
        "AlertDaemon", on: .app,
        imports: [
            "Arguments", "CMemory", "Configuration", "Control", "Delivery", "Diagnostics", "Engine", "EventLoop",
            "Events", "ExchangeRates", "Feeds", "History", "HTTP", "HTTPServer", "JSON", "Journal", "Manual", "Market",
            "Metrics", "Notifications", "PriceSources", "Receivers", "ReferenceRateFiles", "Rules", "ServiceManager",
            "Storage", "Text", "Time",
            "UnixSockets", "Varlink",
        ]),
    module(
        "AlertClient", on: .app,
        imports: [
            "Arguments", "Charts", "Configuration", "Control", "Desktop", "Diagnostics", "Engine", "Events",
            "ExchangeRates", "History", "HTTPServer", "JSON", "Journal", "Manual", "Market", "PriceSources",
            "Receivers", "ReferenceRateFiles",
            "Rules", "Terminal", "Text", "Time", "Trials", "UnixSockets", "VarlinkMessages",
        ], exclude: ["Reports/outputs.varlink"]),
]

let programs: [Target] = [
    module("InterfaceGenerator", on: .programs, imports: ["InterfaceLanguage"]),
    program("interfacegen", imports: ["InterfaceGenerator", "InterfaceLanguage"]),
    .plugin(
        name: "GenerateInterface", capability: .buildTool(), dependencies: ["interfacegen"],
        path: "Sources/Programs/GenerateInterface"),
    program("alertd", imports: ["AlertDaemon"]),
    program("alertctl", imports: ["AlertClient"]),
    program(
        "alertbench",
        imports: [
            "AlertDaemon", "Charts", "Configuration", "Delivery", "Engine", "EventLoop", "Events", "ExchangeRates",
            "Feeds", "History", "HTTP", "Market", "Notifications", "Receivers", "Rules", "Storage", "Time",
            "UnixSockets",
        ]),
]

let supportTargets: [Target] = [
    .target(name: "CChild", path: "Tests/Support/CChild"),
    .target(name: "CFaultVFS", path: "Tests/Support/CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    support(
        "TestSupport",
        imports: ["CChild", "CFaultVFS", "Engine", "EventLoop", "Events", "HTTP", "Market", "Rules", "Time"]),
    support("NaiveRules", imports: ["Engine", "Events", "ExchangeRates", "Market", "Rules", "Time"]),
    support(
        "Replay",
        imports: [
            "AlertDaemon", "Configuration", "Delivery", "Engine", "EventLoop", "Events", "Market", "Rules", "Storage",
            "Time",
        ]),
    support(
        "FuzzEntries",
        imports: [
            "AlertClient", "Configuration", "Control", "Diagnostics", "Engine", "Events", "ExchangeRates", "Feeds",
            "History", "HTTP", "JSON", "Market", "NATS", "Notifications", "PriceSources", "Receivers",
            "ReferenceRateFiles", "Rules", "Time", "Trials", "Varlink",
        ]),
    .target(name: "CBlocking", path: "Tests/Simulation/CBlocking"),
    .target(
        name: "Simulation",
        dependencies: [
            "AlertDaemon", "Arguments", "CBlocking", "Configuration", "Delivery", "Engine", "EventLoop", "Events",
            "ExchangeRates", "Feeds", "HTTP", "Journal", "Market", "NaiveRules", "Notifications", "Receivers", "Rules",
            "TestSupport", "Time", "UnixSockets",
        ],
        path: "Tests/Simulation/Simulation", swiftSettings: swiftSettings),
    .executableTarget(
        name: "alertsim", dependencies: ["EventLoop", "Simulation"], path: "Tests/Simulation/alertsim",
        swiftSettings: swiftSettings),
    .executableTarget(
        name: "alertreplay", dependencies: ["AlertDaemon", "Delivery", "EventLoop", "Replay", "Storage", "Time"],
        path: "Tests/Support/alertreplay", swiftSettings: swiftSettings),
]

let testTargets: [Target] = [
    .testTarget(
        name: "FuzzTests", dependencies: ["FuzzEntries", "TestSupport"], path: "Tests/Support/FuzzTests",
        swiftSettings: swiftSettings),
    tests(of: "Text", on: .core),
    tests(of: "Time", on: .core),
    tests(of: "Market", on: .core, imports: ["Time"]),
    tests(of: "PriceSources", on: .core, imports: ["Time"]),
    tests(of: "Diagnostics", on: .core),
    tests(of: "Arguments", on: .core),
    tests(of: "InterfaceLanguage", on: .core),
    tests(of: "ExchangeRates", on: .core, imports: ["Market", "Time"]),
    tests(of: "History", on: .core, imports: ["FuzzEntries", "Market", "Time"]),
    tests(of: "Events", on: .core, imports: ["Market", "Time"]),
    tests(of: "Rules", on: .core, imports: ["Events", "ExchangeRates", "Market", "Time"]),
    tests(
        of: "Engine", on: .core,
        imports: ["Events", "ExchangeRates", "History", "Market", "NaiveRules", "Rules", "Time"]),
    tests(of: "Receivers", on: .core, imports: ["Events", "Market", "Rules", "Time"]),
    tests(of: "Charts", on: .core, imports: ["Diagnostics", "Market", "Time"], exclude: ["Golden"]),
    tests(of: "Trials", on: .core, imports: ["Engine", "Events", "ExchangeRates", "Market", "Rules", "Time"]),
    tests(of: "UnixSockets", on: .edge),
    tests(of: "EventLoop", on: .edge, imports: ["Time", "UnixSockets"]),
    tests(of: "ServiceManager", on: .edge, imports: ["EventLoop", "Time", "UnixSockets"]),
    tests(of: "HTTP", on: .edge, imports: ["EventLoop", "Market", "Time"]),
    tests(of: "HTTPServer", on: .edge, imports: ["Time", "UnixSockets"]),
    tests(
        of: "Feeds", on: .edge,
        imports: [
            "Configuration", "EventLoop", "ExchangeRates", "FuzzEntries", "HTTP", "Market", "PriceSources", "Time",
        ]),
    tests(of: "ReferenceRateFiles", on: .edge, imports: ["ExchangeRates", "FuzzEntries", "Market", "Time"]),
    tests(
        of: "Configuration", on: .edge,
        imports: [
            "Diagnostics", "Engine", "Events", "ExchangeRates", "FuzzEntries", "HTTPServer", "Market", "PriceSources",
            "Receivers",
            "Rules", "Time", "Trials",
        ],
        exclude: ["Data"]),
    tests(of: "JSON", on: .edge, imports: ["FuzzEntries"]),
    tests(of: "Metrics", on: .edge, imports: ["Market", "Time"]),
    tests(of: "NATS", on: .edge, imports: ["EventLoop", "HTTP", "JSON", "Receivers", "Time"]),
    tests(
        of: "Control", on: .edge,
        imports: [
            "Engine", "Events", "ExchangeRates", "FuzzEntries", "InterfaceLanguage", "JSON", "Market", "Rules", "Time",
        ]),
    tests(of: "Journal", on: .edge, imports: ["Engine", "Events", "Market", "Rules", "Time"]),
    tests(
        of: "Delivery", on: .edge,
        imports: [
            "Control", "Engine", "EventLoop", "Events", "JSON", "Journal", "Market", "Rules", "ServiceManager", "Time",
            "UnixSockets",
        ]),
    tests(
        of: "Manual", on: .edge,
        imports: [
            "Configuration", "Control", "Delivery", "Engine", "Events", "InterfaceLanguage", "Journal", "Market",
            "PriceSources", "Rules", "Time",
        ]),
    tests(
        of: "Notifications", on: .edge,
        imports: [
            "Control", "EventLoop", "Events", "HTTP", "JSON", "Market", "NATS", "Receivers", "Rules", "ServiceManager",
            "Text", "Time",
        ]),
    tests(of: "Storage", on: .edge, imports: ["Engine", "Events", "Market", "Receivers", "Rules", "Time"]),
    tests(of: "Terminal", on: .edge, imports: ["Charts", "Diagnostics", "Time"]),
    tests(of: "VarlinkMessages", on: .edge),
    tests(of: "Varlink", on: .edge, imports: ["EventLoop", "JSON", "Time", "UnixSockets", "VarlinkMessages"]),
    tests(
        of: "AlertDaemon", on: .app,
        imports: [
            "Arguments", "Configuration", "Control", "Delivery", "Engine", "EventLoop", "Events", "ExchangeRates",
            "Feeds", "History", "HTTP", "HTTPServer", "JSON", "Journal", "Manual", "Market", "Notifications",
            "PriceSources", "Receivers", "Replay", "Rules", "ServiceManager", "Storage", "Text", "Time", "UnixSockets",
            "Varlink", "VarlinkMessages",
        ]),
    tests(
        of: "AlertClient", on: .app,
        imports: [
            "Arguments", "Charts", "Configuration", "Control", "Desktop", "Diagnostics", "Engine", "Events",
            "FuzzEntries", "History", "HTTPServer", "InterfaceLanguage", "JSON", "Journal", "Market",
            "PriceSources", "Receivers", "Rules", "Terminal", "Time", "Trials",
        ], exclude: ["Golden"]),
    tests(of: "InterfaceGenerator", on: .programs, imports: ["InterfaceLanguage"]),
    .testTarget(name: "TidyTests", path: "Tests/Tidy", swiftSettings: swiftSettings),
    .testTarget(
        name: "SimulationTests", dependencies: ["alertsim", "TestSupport"],
        path: "Tests/Simulation/SimulationTests", swiftSettings: swiftSettings),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "alertd", "alertctl", "alertreplay", "Engine", "Events", "History", "Market", "Replay", "Rules", "Storage",
            "TestSupport", "Time",
        ],
        path: "Tests/EndToEnd",
        exclude: [
            "exchange.py", "make-test-ca.sh", "recorded_polls.py", "varlink_client.py", "with-journald.sh",
            "on-tmpfs.sh", "validate_schemas.py", "nats_client.py", "desktop_server.py", "receivers.py",
        ],
        swiftSettings: swiftSettings),
]

// The fuzzer needs libFuzzer: only Scripts/fuzz, which links that, builds it.
let fuzzTargets: [Target] =
    Context.environment["ALERTD_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "fuzzer", dependencies: ["FuzzEntries"], path: "Tests/Support/Fuzzer",
            swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "alertd",
    products: [
        .executable(name: "alertd", targets: ["alertd"]),
        .executable(name: "alertctl", targets: ["alertctl"]),
        .library(name: "ExchangeRates", targets: ["Time", "Market", "ExchangeRates", "ReferenceRateFiles"]),
    ],
    targets: cFloor + coreFloor + edgeFloor + appFloor + programs + supportTargets + testTargets + fuzzTargets,
    cxxLanguageStandard: .cxx17
)
