internal import Control
package import JSON

/// Reads a value of a type of the control interface, and writes it again.
package struct ControlReader: Sendable {
    package let name: String
    package let rewrite: @Sendable (JSONValue) throws(JSONError) -> [UInt8]

    private init<Value: JSONReadable & JSONWritable & Sendable>(_ type: Value.Type) {
        name = "\(type)"
        rewrite = { value throws(JSONError) in JSONWriter.text(of: try Value(json: value)) }
    }

    /// One for each type of the interface.
    package static let all = types + calls + errors
    static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    private static let types = [
        Self(DaemonStatus.self), Self(FailingReceiver.self), Self(FeedStatus.self), Self(HistoryStatus.self),
        Self(StoreStatus.self),
        Self(SinkStatus.self), Self(ConfigurationStatus.self), Self(ReloadResult.self), Self(PollResult.self),
        Self(LeaseStatus.self), Self(CheckStatus.self),
        Self(CoinStatus.self), Self(CoinChange.self), Self(SymbolStatus.self),
        Self(WindowSummary.self),
        Self(PricePoint.self), Self(AlertStatus.self),
        Self(SymbolProblem.self), Self(RuleProblem.self), Self(RuleStatus.self), Self(RuleLimit.self),
        Self(RuleTerms.self), Self(RuleDistance.self), Self(RelativeLimits.self),
        Self(EventRecord.self), Self(ConversionRecord.self), Self(EventDetails.self), Self(DrillResult.self),
        Self(AlertFact.self), Self(AlertLevel.self), Self(AlertExplanation.self), Self(PriceBar.self),
        Self(PriceRow.self), Self(PriceColumn.self), Self(ReferenceRate.self), Self(CurrencyPeg.self),
        Self(RateStep.self), Self(SilenceStatus.self), Self(OverrideStatus.self), Self(LimitChangeStatus.self),
        Self(ReceiverStatus.self), Self(Delivery.self), Self(QueueEntry.self),
    ]

    private static let calls = [
        Self(StatusReply.self), Self(ReloadReply.self), Self(PollParameters.self), Self(PollReply.self),
        Self(BackupReply.self),
        Self(ListTickersParameters.self), Self(ListTickersReply.self), Self(GetSymbolParameters.self),
        Self(GetSymbolReply.self), Self(GetCoinHistoryParameters.self), Self(GetCoinHistoryReply.self),
        Self(ListAlertsParameters.self), Self(ListAlertsReply.self),
        Self(ListRulesParameters.self), Self(ListRulesReply.self), Self(AcknowledgeParameters.self),
        Self(AcknowledgeReply.self),
        Self(ArmParameters.self), Self(ArmReply.self), Self(ListEventsParameters.self), Self(ListEventsReply.self),
        Self(MonitorEventsParameters.self), Self(MonitorEventsReply.self), Self(DrillParameters.self),
        Self(DrillReply.self), Self(ExplainParameters.self), Self(ExplainReply.self),
        Self(ListPricesParameters.self), Self(ListPricesReply.self), Self(ListBarsParameters.self),
        Self(ListBarsReply.self), Self(PriceCandle.self), Self(ListCandlesParameters.self),
        Self(ListCandlesReply.self), Self(ExportPricesParameters.self), Self(ExportPricesReply.self),
        Self(ImportPricesParameters.self), Self(ImportPricesReply.self), Self(RatesParameters.self),
        Self(RatesReply.self), Self(ConvertParameters.self), Self(ConvertReply.self), Self(AddSilenceParameters.self),
        Self(AddSilenceReply.self), Self(ListSilencesParameters.self), Self(ListSilencesReply.self),
        Self(ExpireSilencesParameters.self), Self(ExpireSilencesReply.self), Self(SetLimitParameters.self),
        Self(SetLimitReply.self), Self(ListOverridesReply.self), Self(ResetLimitsParameters.self),
        Self(ResetLimitsReply.self), Self(ListReceiversReply.self), Self(ListQueueParameters.self),
        Self(ListQueueReply.self), Self(ListDeliveriesParameters.self), Self(ListDeliveriesReply.self),
        Self(RetryQueueParameters.self), Self(DropQueueParameters.self), Self(DropQueueReply.self),
    ]

    private static let errors = [
        Self(ReloadFailed.self), Self(PollTooSoon.self), Self(StoreFailed.self), Self(Refused.self),
        Self(NoSuchThing.self), Self(NoSuchSymbol.self), Self(NoSuchRule.self), Self(Unconvertible.self),
    ]
}
