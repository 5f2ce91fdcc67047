import Events
import Foundation
import Market
import Testing

@testable import Control

/// One member of the description and a value of the type that goes over the wire for it.
struct WireCase: CustomTestStringConvertible, Sendable {
    var member: String
    var sample: any Codable & Sendable

    var testDescription: String { member }
}

@Suite struct ControlInterfaceTests {
    static let cases: [WireCase] =
        mainCases + ExplainSamples.cases + livingCases + LimitSamples.cases

    private static let mainCases: [WireCase] = [
        WireCase(member: "type DaemonStatus", sample: Samples.status),
        WireCase(member: "type FeedStatus", sample: Samples.status.feed),
        WireCase(member: "type HistoryStatus", sample: Samples.status.history),
        WireCase(member: "type StoreStatus", sample: Samples.status.store),
        WireCase(member: "type SinkStatus", sample: Samples.status.sinks[0]),
        WireCase(member: "type ConfigurationStatus", sample: Samples.status.configuration),
        WireCase(member: "type SymbolStatus", sample: Samples.symbol),
        WireCase(member: "type WindowSummary", sample: Samples.window),
        WireCase(member: "type PricePoint", sample: Samples.point),
        WireCase(member: "type AlertStatus", sample: Samples.alert),
        WireCase(member: "type RuleStatus", sample: Samples.rule),
        WireCase(member: "type RuleLimit", sample: Samples.ruleLimit),
        WireCase(member: "type EventRecord", sample: Samples.event),
        WireCase(member: "type ReloadResult", sample: Samples.reload),
        WireCase(member: "type PollResult", sample: Samples.poll),
        WireCase(member: "method Status in", sample: Nothing()),
        WireCase(member: "method Status out", sample: StatusReply(status: Samples.status)),
        WireCase(member: "method ListTickers in", sample: ListTickersParameters(match: "*", quote: "inr")),
        WireCase(
            member: "method ListTickers out",
            sample: ListTickersReply(simulated: true, source: "s", received: "t", symbols: [Samples.symbol])),
        WireCase(member: "method GetSymbol in", sample: GetSymbolParameters(symbol: "btcinr")),
        WireCase(
            member: "method GetSymbol out",
            sample: GetSymbolReply(
                simulated: true, symbol: Samples.symbol, alerts: [Samples.alert], window: Samples.window,
                prices: [Samples.point])),
        WireCase(
            member: "method ListAlerts in", sample: ListAlertsParameters(firingOnly: true, symbol: "btcinr")),
        WireCase(
            member: "method ListAlerts out", sample: ListAlertsReply(simulated: true, alerts: [Samples.alert])),
        WireCase(member: "method ListRules in", sample: Nothing()),
        WireCase(member: "method ListRules out", sample: ListRulesReply(rules: [Samples.rule])),
        WireCase(member: "method MonitorEvents in", sample: MonitorEventsParameters(after: 2)),
        WireCase(
            member: "method MonitorEvents out", sample: MonitorEventsReply(event: Samples.event, missed: 2)),
        WireCase(member: "method Reload in", sample: Nothing()),
        WireCase(member: "method Reload out", sample: ReloadReply(result: Samples.reload)),
        WireCase(member: "method Poll in", sample: Nothing()),
        WireCase(member: "method Poll out", sample: PollReply(result: Samples.poll)),
        WireCase(member: "type ConversionRecord", sample: Samples.conversion),
        WireCase(member: "type PriceBar", sample: Samples.bar),
        WireCase(member: "type PriceRow", sample: Samples.row),
        WireCase(member: "type PriceColumn", sample: Samples.column),
        WireCase(
            member: "method ListPrices in",
            sample: ListPricesParameters(symbol: "btcinr", since: "t", until: "t", last: 2)),
        WireCase(
            member: "method ListPrices out",
            sample: ListPricesReply(simulated: true, gapMilliseconds: 2, prices: [Samples.point], next: "t")),
        WireCase(
            member: "method ListBars in",
            sample: ListBarsParameters(
                symbol: "btcinr", since: "t", until: "t", stepMilliseconds: 2, offsetMilliseconds: 2)),
        WireCase(
            member: "method ListBars out", sample: ListBarsReply(simulated: true, bars: [Samples.bar], next: "t")),
        WireCase(
            member: "method ExportPrices in",
            sample: ExportPricesParameters(match: ["*"], since: "t", until: "t", next: "n")),
        WireCase(
            member: "method ExportPrices out",
            sample: ExportPricesReply(simulated: true, source: "s", rows: [Samples.row], next: "n")),
        WireCase(
            member: "method ImportPrices in", sample: ImportPricesParameters(columns: [Samples.column], isLast: true)),
        WireCase(
            member: "method ImportPrices out",
            sample: ImportPricesReply(added: 2, duplicates: 2, conflicting: 2, tooOld: 2)),
        WireCase(member: "method ListEvents in", sample: Samples.eventQuery),
        WireCase(
            member: "method ListEvents out",
            sample: ListEventsReply(simulated: true, source: "s", events: [Samples.event], more: true)),
        WireCase(member: "method Backup in", sample: Nothing()),
        WireCase(member: "method Backup out", sample: BackupReply(size: 2, data: "AA==", checksum: "00000000")),
        WireCase(member: "type ReferenceRate", sample: ReferenceRate(currency: "SEK", rate: "1")),
        WireCase(member: "type CurrencyPeg", sample: CurrencyPeg(currency: "USDT", countsAs: "USD")),
        WireCase(member: "type RateStep", sample: Samples.rateStep),
        WireCase(member: "method Rates in", sample: RatesParameters(currency: "BTC")),
        WireCase(
            member: "method Rates out",
            sample: RatesReply(
                base: "EUR", date: "d", source: "s", ageDays: 2, stale: true, staleAfterDays: 2,
                rates: [ReferenceRate(currency: "SEK", rate: "1")],
                pegs: [CurrencyPeg(currency: "USDT", countsAs: "USD")], state: "ok", message: "m", url: "u",
                fetched: "t", lastAttempt: "t", nextFetch: "t", displayCurrency: "USD", markets: [Samples.rateStep])),
        WireCase(member: "method Convert in", sample: ConvertParameters(amount: "1", from: "SEK", to: "INR")),
        WireCase(
            member: "method Convert out",
            sample: ConvertReply(
                amount: "1", from: "SEK", to: "INR", result: "2", exact: true, date: "d", stale: true, pegged: true,
                simulated: true, steps: [Samples.rateStep])),
        WireCase(member: "error Unconvertible", sample: Unconvertible(message: "m")),
        WireCase(member: "error StoreFailed", sample: StoreFailed(message: "m")),
        WireCase(member: "error NoSuchSymbol", sample: NoSuchSymbol(symbol: "x", suggestion: "y")),
        WireCase(member: "error ReloadFailed", sample: ReloadFailed(findings: ["f"])),
        WireCase(member: "error PollTooSoon", sample: PollTooSoon(retryAfterMilliseconds: 2)),
    ]

    let definition: InterfaceDefinition

    init() throws {
        definition = try InterfaceDefinition(ControlInterface.description)
    }

    @Test func everyKindAndReasonIsNamed() {
        let words = Set(ControlInterface.description.split { !($0.isLetter || $0 == "_") }.map(String.init))
        #expect(EventKind.allCases.map(\.rawValue).filter { !words.contains($0) } == [])
        #expect(Reason.allCases.map(\.rawValue).filter { !words.contains($0) } == [])
    }

    @Test func everyMemberHasACase() {
        #expect(definition.name == ControlInterface.name)
        #expect(Set(definition.members.keys) == Set(Self.cases.map(\.member)))
    }

    @Test func namesAreThoseOfTheDescription() {
        let methods = definition.members.keys.filter { $0.hasSuffix(" in") }
        #expect(Set(methods) == Set(ControlInterface.Method.allCases.map { "method \($0.rawValue) in" }))
        let errors = definition.members.keys.filter { $0.hasPrefix("error ") }
        #expect(Set(errors) == Set(ControlInterface.ErrorName.allCases.map { "error \($0.rawValue)" }))
        #expect(ControlInterface.Method.getSymbol.qualifiedName == "org.alertd.Control.GetSymbol")
        #expect(ControlInterface.ErrorName.pollTooSoon.qualifiedName == "org.alertd.Control.PollTooSoon")
    }

    @Test(arguments: cases) func fieldsAreWhatIsEncoded(_ wire: WireCase) throws {
        let fields = try #require(definition.members[wire.member])
        let object = try #require(try encodedObject(wire.sample))
        #expect(Set(fields.map(\.name)) == Set(object.keys))
        for field in fields {
            let type = field.type.hasPrefix("?") ? String(field.type.dropFirst()) : field.type
            #expect(matches(object[field.name], type), "\(wire.member): \(field.name) is no \(type)")
        }
    }

    /// What the description does not mark with `?` is there in every value, and the rest may be null or absent.
    @Test(arguments: cases) func whatMayBeAbsentIsMarked(_ wire: WireCase) throws {
        let object = try #require(try encodedObject(wire.sample))
        for field in try #require(definition.members[wire.member]) {
            for replacement in [nil, NSNull()] as [Any?] {
                var changed = object
                changed[field.name] = replacement
                let decodes = (try? decoded(like: wire.sample, changed)) != nil
                #expect(decodes == field.type.hasPrefix("?"), "\(wire.member): \(field.name)")
            }
        }
    }

    @Test(arguments: cases) func absentValuesAreLeftOut(_ wire: WireCase) throws {
        let optional = try #require(definition.members[wire.member]).filter { $0.type.hasPrefix("?") }.map(\.name)
        var object = try #require(try encodedObject(wire.sample))
        for name in optional { object[name] = nil }
        let again = try #require(try encodedObject(try decoded(like: wire.sample, object)))
        #expect(Set(again.keys) == Set(object.keys))
    }

    private func encodedObject(_ value: some Encodable) throws -> [String: Any]? {
        try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any]
    }

    private func decoded<Value: Decodable>(like sample: Value, _ object: [String: Any]) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: object))
    }

    private func matches(_ value: Any?, _ type: String) -> Bool {
        if type.hasPrefix("[]") {
            guard let elements = value as? [Any], !elements.isEmpty else { return false }
            return elements.allSatisfy { matches($0, String(type.dropFirst(2))) }
        }
        switch type {
        case "string": return value is String
        case "bool": return value is Bool
        case "int": return value is Int && !(value is Bool)
        default:
            guard let object = value as? [String: Any], let fields = definition.members["type \(type)"] else {
                return false
            }
            return Set(object.keys).isSubset(of: fields.map(\.name))
        }
    }
}
