internal import Arguments
internal import Control
internal import Diagnostics
internal import Market

/// A parser of new limits as people write them: `7600000`, `₹76,00,000`, `12 000 kr`, `+2%`, `-5000`.
struct LimitReader {
    private let context: Context
    /// The value of `--currency`; nil if the option is absent.
    private let chosen: Currency?

    init(_ context: Context) {
        self.context = context
        chosen = context.arguments.has("currency") ? context.choice.named : nil
    }

    /// Parses a limit. Returns the limit in the daemon's syntax, and the currency of its amount; nil means the rule's
    /// currency.
    ///
    /// - Throws: ``ClientError/usage(_:)`` for a text that is neither an amount nor a change.
    func limit(_ text: String, option: String) throws(ClientError) -> (text: String, currency: Currency?) {
        let sign = ["+", "-"].first { text.hasPrefix($0) } ?? ""
        let rest = String(text.dropFirst(sign.count))
        if !sign.isEmpty, rest.hasSuffix("%"), let percent = try? Price(written: String(rest.dropLast())) {
            return ("\(sign)\(percent)%", nil)
        }
        do throws(WrittenAmountError) {
            let amount = try context.amount(rest)
            return (sign + "\(amount.number)", amount.currency ?? chosen)
        } catch {
            throw .usage(
                "--\(option) takes an amount, or a change such as +2% or -5000, but got '\(visible(text))'; "
                    + error.advice)
        }
    }
}
