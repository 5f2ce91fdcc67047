internal import Configuration
internal import Events
internal import JSON
internal import Notifications
internal import Receivers

/// The reason why there is no preview.
struct PreviewError: Error {
    var text: String
}

/// Returns the requests that a receiver in the settings would be sent for a made-up event of a kind, or for several
/// events if the kind is `group`: one JSON object per line.
func previewLines(_ file: String, _ name: String, _ kind: String) throws(PreviewError) -> String {
    let settings: Settings
    do throws(SettingsError) {
        settings = try SettingsLoader(files: LocalFiles(as: FileReader.service(of: [file]))).load(file).settings
    } catch {
        throw PreviewError(text: "the settings contain errors; 'alertctl check' shows them")
    }
    guard let receiver = settings.receivers.first(where: { $0.name == name }) else {
        throw PreviewError(text: "there is no receiver '\(name)'")
    }
    let events: [Event]
    if let kind = EventKind(rawValue: kind) {
        events = [SampleEvents.event(kind)]
    } else {
        events = SampleEvents.group()
    }
    let composer = NotificationComposer(
        instance: "0123456789abcdef0123456789abcdef", source: settings.feed.name,
        hasSeveralSources: settings.sources.count > 1)
    do throws(ReceiverFault) {
        return try RequestPreview.previews(of: receiver, events, by: composer, at: SampleEvents.time)
            .map { String(decoding: JSONWriter.text(of: $0), as: UTF8.self) + "\n" }.joined()
    } catch {
        throw PreviewError(text: error.text)
    }
}
