import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { DataDir } from '../settings/data-dir.ts'
import type { Db } from '../db/connect.ts'
import type { OpenClock } from '../db/outages/open-clock.ts'
import { describeNode } from '../features/nodes/describe-node.ts'
import type { PartEnds } from '../kernel/http/part-ends.ts'
import type { GatewayLink } from '../publishing/gateway-link.ts'
import type { GatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import type { Publisher } from '../publishing/publisher.ts'
import { heardUsages } from '../publishing/gateways/said-usages.ts'
import { GatewayReporter } from './gateway-reporter.ts'
import { GatewayVoice } from './gateway-voice.ts'
import { RemoteTokens } from './remote-tokens.ts'
import { RequestAnswers } from './request-answers.ts'

interface GatewayTalkOptions {
  db: Db
  seal: GatewaySeal
  opened: OpenClock
  log: Logger
  gateway: GatewayLink
  publisher: Publisher
  dataDir: Pick<DataDir, 'path' | 'instanceId' | 'place'>
  version: string
  ends?: PartEnds | undefined
  /** The access log has a line for each request, not for failed ones alone. */
  recordsAll: boolean
  onLost: () => void
}

/** More open breakers, and ends of parts, than this do not fit into a report. */
const breakersMax = 30
const endsMax = 10

/** Wires what a gateway that runs alone says to the control plane, and what it hears beside configurations. */
export function createTalk(options: GatewayTalkOptions) {
  const { db, seal, opened, log, gateway, publisher, dataDir } = options
  const { clock } = opened
  const voice = new GatewayVoice(db, seal)
  const tokens = new RemoteTokens({ db, seal, voice, clock, gateway, publisher })
  const requests = new RequestAnswers({ ...options, ...dataDir, voice })
  const reporter = new GatewayReporter({
    ...options,
    ...dataDir,
    voice,
    clock,
    name: hostname(),
    describe: async () => {
      const { ends } = options
      const own = { publisher, gateway, clockOffset: opened.offset, clock, ends }
      const parts = { ...own, dataDir: dataDir.path }
      const state = await describeNode(parts)
      const open_breakers = state.open_breakers.slice(0, breakersMax)
      const last = state.ends.slice(-endsMax)
      return { ...state, open_breakers, ends: last, lost_requests: reporter.lostRequests }
    },
  })
  gateway.onReport((report) => reporter.record(report))
  gateway.onTokenWanted((apiId, refused) => tokens.supply(apiId, refused))
  gateway.onProcedureSeen((api_id, seen) => {
    const say = async () => {
      const payload = await voice.pack({ kind: 'procedure', api_id, seen: { ...seen } })
      if (payload !== undefined) await voice.send(payload)
      else log.warn({ api_id }, 'what a stored procedure returned is too long to be compared')
    }
    say().catch((error: unknown) => log.error({ err: error, api_id }, 'nothing could be compared'))
  })
  return {
    reporter,
    requests,
    /** What the control plane tells gateways: `heard`, `taken`, `token`, `failed`, `usage` or `ask`, with its parts. */
    hear: (payload: string) => {
      const [what, first = '', second = '', third = ''] = payload.split(' ')
      if (what === 'heard' && reporter.heard(first, Number(second)))
        gateway.setServers(Number(third))
      else if (what === 'taken') reporter.taken(first, `${second} ${third}`)
      else if (what === 'token') void tokens.arrived(Number(first))
      else if (what === 'usage') gateway.setTokenUsage(heardUsages(first))
      else if (what === 'ask') requests.asked(first, second)
      else if (what === 'failed')
        tokens.failed(Number(first), second === '-' ? null : Number(second))
    },
  }
}
