import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '@gatehouse/logging'
import { StartError } from '../settings/data-dir.ts'
import { connect, sourceOf } from '../db/connect.ts'
import { isDatabaseAway } from '../db/outages/database-away.ts'
import { openClock } from '../db/outages/open-clock.ts'
import { OutageLog } from '../db/outages/outage-log.ts'
import { reachOf } from '../db/postgres/pooled-dialect.ts'
import { startRefusal } from '../open-database.ts'
import type { GatewayLink } from '../publishing/gateway-link.ts'
import { createGatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import { gatewaySource, NoGatewayAccount } from '../publishing/gateways/gateway-source.ts'
import { Publisher, type ConfigSource } from '../publishing/publisher.ts'
import { drain } from '../drain.ts'
import { logEnds } from '../kernel/http/part-ends.ts'
import { ownAddresses } from '../http/own-addresses.ts'
import { listen, type RunningServer, type StartOptions } from '../start.ts'
import { answerAlone } from './answer-alone.ts'
import { createTalk } from './gateway-talk.ts'
import { openGatewayPort } from './gateway-port.ts'

type GatewayNodeOptions = Omit<
  StartOptions,
  'gateway' | 'dashboardFolder' | 'showFirstAdministrator'
> & {
  gateway: GatewayLink
  /** The configuration that it serves already; undefined: none was kept. */
  keptRevision: number | undefined
}

interface RunningGatewayNode extends Pick<RunningServer, 'url' | 'lost' | 'stop'> {
  /** Set where the database is away, and the gateway serves what it has kept: what is the matter. */
  awayBecause: string | undefined
}

/** One reads, one reports. */
const connections = 2

/**
 * Brings every configuration that the control plane stores to the workers, reports to it, and answers for its own
 * health. Throws a StartError, fit for the operator to read, where it must not start; nothing stays open then.
 */
export async function startGatewayNode(options: GatewayNodeOptions): Promise<RunningGatewayNode> {
  const { settings, dataDir, gateway, version } = options
  refuseAppKey(dataDir.path)
  const outages = new OutageLog()
  const log = openLog(dataDir.path, 'admin', settings.logLevel, { leavesOut: outages.counts })
  const db = connect(sourceOf(settings.databaseUrl, dataDir.path, connections))
  outages.watch(log, reachOf(db))
  try {
    const seal = createGatewaySeal(settings.gatewayKey!)
    let hear = (_: string): void => {}
    const source = gatewaySource({ db, seal, onPayload: (payload) => hear(payload) })
    const awayBecause = await checkSource(source, options)
    const opened = await openClock(db, log, { mayBeAway: true })
    const { clock } = opened
    const { databaseUrl } = settings
    const publisher = new Publisher({ db, clock, log, gateway, source, databaseUrl })
    const lost = Promise.withResolvers<void>()
    const { ends } = options
    const parts = { db, seal, opened, log, gateway, publisher, dataDir, version, ends }
    const recordsAll = settings.logLevel === 'debug' || settings.logLevel === 'info'
    const talk = createTalk({ ...parts, recordsAll, onLost: lost.resolve })
    hear = talk.hear
    gateway.onAgentAsked(async (question) => answerAlone(question))
    await publisher.start()
    const lostRequests = () => talk.reporter.lostRequests
    let isLeaving = false
    const app = await openGatewayPort({
      log,
      settings,
      gateway,
      publisher,
      version,
      lostRequests,
      isLeaving: () => isLeaving,
    })
    const url = await listen(app, settings)
    const own = app.addresses().filter((each) => typeof each === 'object')
    gateway.blockAddresses([...(await ownAddresses(settings)), ...own])
    talk.reporter.start()
    logEnds(ends, log)
    log.info({ version, url, node: process.version, role: settings.role }, 'ready')
    return {
      url,
      awayBecause,
      lost: lost.promise,
      stop: async (isUrgent = false) => {
        isLeaving = true
        if (!isUrgent) await sleep(settings.shutdownDelayMs)
        await Promise.all([drain(app), gateway.stop()])
        // The last figures have arrived, and are answered on the connection that the publisher has.
        await Promise.all([talk.reporter.stop(), talk.requests.close()])
        await publisher.stop()
        await opened.stop()
        outages.stop()
        await db.destroy()
        log.info('stopped')
        log.flush()
      },
    }
  } catch (error) {
    outages.stop()
    log.error({ err: error }, 'start failed')
    await db.destroy()
    throw error
  }
}

/** A folder that was the control plane's holds the key of all secrets. */
function refuseAppKey(folder: string): void {
  const file = join(folder, 'app.key')
  if (!existsSync(file)) return
  throw new StartError(
    `ROLE=gateway can't use ${folder}: app.key in it opens more than a gateway needs. Set another DATA_DIR.`,
  )
}

/** Why the database can't be used now although a configuration was kept. Throws where it can't start. */
async function checkSource(
  source: ConfigSource,
  { settings, dataDir, keptRevision }: GatewayNodeOptions,
): Promise<string | undefined> {
  try {
    await source.get()
  } catch (error) {
    if (isDatabaseAway(error)) {
      const refusal = startRefusal(error, settings.databaseUrl, dataDir.path)
      if (keptRevision === undefined) throw refusal
      return refusal.message
    }
    throw isForeign(error) ? notAnAccount(error) : error
  }
  await source.read().catch((error: unknown) => {
    if (isDatabaseAway(error)) return
    throw new StartError(
      'GATEWAY_KEY does not open what is stored for the account of DATABASE_URL: both come from the same ' +
        '`npm run admin -- gateway-account`.',
      { cause: error },
    )
  })
  return undefined
}

/** Not an account of gateways; no right to read; the table is not there. */
const isForeign = (error: unknown) =>
  error instanceof NoGatewayAccount ||
  ['42501', '42P01'].includes(String((error as { code?: string }).code))

const notAnAccount = (cause: unknown) =>
  new StartError(
    'The account of DATABASE_URL was not made for gateways. Make one with `npm run admin -- gateway-account` ' +
      'where the control plane runs.',
    { cause },
  )
