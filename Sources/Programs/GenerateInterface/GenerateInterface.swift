import PackagePlugin

/// A build plugin that generates Swift code from a target's interface description, `*.varlink`, whenever it has
/// changed.
@main struct GenerateInterface: BuildToolPlugin {
    /// The same names as `InterfaceGenerator.fileNames`, which a plugin cannot import.
    private static let fileNames = ["Interface", "Enumerations", "Types", "Calls"].map { "\($0).swift" }

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let generator = try context.tool(named: "interfacegen").url
        let folder = context.pluginWorkDirectoryURL
        return target.sourceFiles.map(\.url).filter { $0.pathExtension == "varlink" }.map { description in
            .buildCommand(
                displayName: "Making Swift of \(description.lastPathComponent)", executable: generator,
                arguments: [description.path(), folder.path()], inputFiles: [description],
                outputFiles: Self.fileNames.map { folder.appending(path: $0) })
        }
    }
}
