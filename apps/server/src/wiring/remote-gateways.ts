import type { AppCore } from '../app-core.ts'
import type { TokenUsageKeeper } from '../features/tokens/token-usage-keeper.ts'
import type { TrafficRecorder } from '../features/traffic/traffic-recorder.ts'
import type { SeenProcedure } from '../publishing/gateway-link.ts'
import { GatewayQuestions } from '../publishing/gateways/gateway-questions.ts'
import { GatewayReports } from '../publishing/gateways/gateway-reports.ts'
import { GatewayTokens } from '../publishing/gateways/gateway-tokens.ts'
import type { Settings } from '../settings/settings.ts'

interface RemoteGatewaysOptions {
  core: AppCore
  settings: Pick<Settings, 'databaseUrl'>
  recorder: TrafficRecorder
  tokenUsage: TokenUsageKeeper
  onUnknownKeys: (issuerIds: readonly number[]) => void
  onProcedureSeen: (apiId: number, seen: SeenProcedure) => void
}

/** Wires what this server does for gateways that run alone; undefined where there can be none. */
export function createRemoteGateways(options: RemoteGatewaysOptions) {
  const { core, settings, recorder, tokenUsage, onProcedureSeen, onUnknownKeys } = options
  const { gateways: configs, signIn, common } = core
  const { databaseUrl } = settings
  if (!configs || databaseUrl === undefined) return undefined
  const { stores, clock, log, inTransaction } = common
  const tokens = new GatewayTokens({ stores, configs })
  const questions = new GatewayQuestions({ stores, configs })
  signIn.service.subscribe(({ apiId, which }, issued) => {
    if (which !== 'live') return
    tokens
      .put(apiId, issued)
      .catch((error: unknown) =>
        log.error({ err: error, api_id: apiId }, 'a token could not be given to gateways'),
      )
  })
  const reports = new GatewayReports({
    databaseUrl,
    configs,
    tokens,
    inTransaction,
    clock,
    log,
    onFigures: (report) => {
      recorder.recordMinutes(report)
      tokenUsage.record(report.quota_uses.map(([token, day, times]) => [token, times, day]))
      onUnknownKeys(report.unknown_keys)
    },
    onProcedureSeen,
    onAnswer: (part) => questions.receive(part),
    onTokenWanted: (apiId, refused) => signIn.obtain(apiId, refused),
  })
  return { reports, questions }
}
