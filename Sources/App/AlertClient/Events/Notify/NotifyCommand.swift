internal import Arguments
internal import Desktop

/// `alertctl notify`: shows events on the desktop, for the user unit `alertd-desktop.service`.
enum NotifyCommand: Command {
    static let specification = CommandLineSpecification(
        "notify", summary: "Show events as notifications on the desktop",
        discussion: [
            "Shows the notifications of alertd on your desktop, until interrupted. A notification has the urgency "
                + "of the alert's severity, is replaced when the alert repeats or resolves, and has buttons to "
                + "acknowledge the alert and to silence it for an hour, which only work for members of the group "
                + "alertd-admin. Several events at once become one notification. Rule changes are only shown with "
                + "--kind rules_changed.",
            "The last event shown is kept in $XDG_STATE_HOME/alertctl (~/.local/state/alertctl), so nothing is shown "
                + "twice, and events that happen while nobody is logged in are summarized later. If the daemon or the "
                + "desktop's notification service is not running, the command waits for it.",
            "Usually this runs as a user unit: 'systemctl --user enable --now alertd-desktop'.",
        ],
        examples: [
            Example("alertctl notify", "All events, until Ctrl+C."),
            Example("alertctl notify --severity critical", "Only critical events."),
        ],
        options: EventFilter.options)

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let filter = try EventFilter(context.arguments)
        let server: any NotificationServer
        do throws(DesktopError) {
            server = try context.environment.openDesktop()
        } catch {
            throw ClientError(error)
        }
        try DesktopFollower(context, filter, server).run()
        return .success
    }
}

extension ClientError {
    init(_ error: DesktopError) {
        switch error {
        case .noBus(let reason):
            self = .desktop("no session bus for this user (\(reason)); run the command in a desktop session")
        case .noServer(let reason), .refused(let reason): self = .desktop(reason)
        }
    }
}
