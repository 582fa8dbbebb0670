import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeLog, openLog } from '@gatehouse/logging'
import {
  createAddressGuard,
  createHttpUpstream,
  createProcedureUpstream,
} from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import { portRefusal } from './http/admin-port.ts'
import { createApp } from './app.ts'
import { checkValueOf, openAppKey } from './settings/app-key.ts'
import { StartError, type DataDir } from './settings/data-dir.ts'
import { sourceOf, type Db } from './db/connect.ts'
import { isPostgres } from './db/dialect.ts'
import { isDatabaseAway } from './db/outages/database-away.ts'
import { OutageLog } from './db/outages/outage-log.ts'
import { reachOf } from './db/postgres/pooled-dialect.ts'
import { drain } from './drain.ts'
import { openReader, type Reader } from './db/reading/reader.ts'
import {
  createFirstAdministrator,
  type FirstAdministrator,
} from './features/session/first-administrator.ts'
import { systemClock } from './kernel/clock.ts'
import { openClock, type OpenClock } from './db/outages/open-clock.ts'
import { logEnds, type PartEnds } from './kernel/http/part-ends.ts'
import { createTwoKeyBox } from './kernel/secret-box.ts'
import type { GatewayLink } from './publishing/gateway-link.ts'
import { openDatabase, startRefusal } from './open-database.ts'
import { ownAddresses } from './http/own-addresses.ts'
import type { Settings } from './settings/settings.ts'
import { inTransactionOn } from './stores.ts'
import { openStartingPort, type StartingPort } from './upgrade/starting-port.ts'
import { watchUpgrade } from './upgrade/watch-upgrade.ts'

export interface StartOptions {
  settings: Settings
  /** The caller holds it for longer than the server runs. */
  dataDir: DataDir
  /** The workers that carry the traffic; undefined: none. */
  gateway: GatewayLink | undefined
  version: string
  dashboardFolder: string
  /** On the very first start: the account that may sign in, which counts only once this has told the operator. */
  showFirstAdministrator: (made: FirstAdministrator) => Promise<void> | void
  /** See `AppOptions`. */
  ends?: PartEnds | undefined
}

export interface RunningServer {
  url: string
  /** Resolves when another process has taken the identity of this server, which has to stop then. */
  lost: Promise<void>
  /**
   * `/readyz` refuses for `SHUTDOWN_DELAY_SECONDS`, unless it `isUrgent`. Then it stops taking requests, finishes those in flight (30 s at
   * most) and closes everything.
   */
  stop(isUrgent?: boolean): Promise<void>
}

/**
 * Brings the database up to date, closes what a crash left open, and serves. Throws a StartError with a
 * message for the operator when it must not start, and a DatabaseAwayError when it may start later;
 * nothing stays open then.
 */
export async function startServer({
  settings,
  dataDir,
  gateway,
  version,
  dashboardFolder,
  showFirstAdministrator,
  ends,
}: StartOptions): Promise<RunningServer> {
  const outages = new OutageLog()
  const { counts: leavesOut } = outages
  const log = openLog(dataDir.path, 'admin', settings.logLevel, { leavesOut })
  const runLog = openLog(dataDir.path, 'runs', settings.logLevel, { leavesOut })
  let port: StartingPort | undefined
  let db: Db | undefined
  let reader: Reader | undefined
  let opened: OpenClock | undefined
  let created: Awaited<ReturnType<typeof createApp>> | undefined
  let isLeaving = false
  try {
    const { databaseUrl, databaseConnections: connections, isBackedUp } = settings
    port = await openStartingPort(log, settings)
    const watch = watchUpgrade(log, port.tell)
    const options = { connections, isBackedUp, watch }
    db = await openDatabase(databaseUrl, dataDir.path, systemClock.now(), options)
    port.tell('starting')
    reader = openReader(sourceOf(databaseUrl, dataDir.path), db)
    opened = await openClock(db, log)
    const { clock } = opened
    const { appKey, appKeyPrevious } = settings
    const key = await openAppKey(db, dataDir.path, appKey, clock.now(), appKeyPrevious)
    const secrets = createTwoKeyBox(key, appKeyPrevious)
    await createFirstAdministrator(
      inTransactionOn(db, clock),
      clock,
      { email: settings.adminEmail, givenPassword: settings.adminPassword },
      showFirstAdministrator,
    )
    const own = await ownAddresses(settings)
    const guard = createAddressGuard({
      allow: settings.upstreamAllow,
      deny: settings.upstreamDeny,
      own: () => own,
    })
    const upstream = createHttpUpstream({ guard })
    const procedures = createProcedureUpstream({ guard })
    created = await createApp({
      db,
      readers: reader.readers,
      clock,
      log,
      runLog,
      secrets,
      guard,
      upstream,
      procedures,
      gateway,
      settings,
      instanceId: dataDir.instanceId,
      place: dataDir.place,
      clockOffset: opened.offset,
      sealsWith: checkValueOf(key),
      version,
      dashboardFolder,
      serverFactory: port.serverFactory,
      ends,
      isLeaving: () => isLeaving,
    })
    const {
      nodes,
      app,
      runKeeper,
      batches,
      dispatcher,
      unattended,
      publisher,
      traffic,
      tokenUsage,
    } = created
    const { remoteGateways } = created
    await created.sentSince.look()
    await takeIdentity(nodes, dataDir.path)
    await created.sentSince.begin()
    // Only PostgreSQL has standbys that take over.
    if (isPostgres(db)) created.sentSince.watch()
    // Without it, workers know the uses of their own alone.
    await tokenUsage.look()
    // Until then the gateway may run on the snapshot it has kept, and accept tokens that were revoked since.
    await publisher.start()
    await runKeeper.start()
    await batches.start()
    dispatcher.start()
    await unattended.start()
    await created.sample.start()
    const url = await listen(app, settings)
    own.push(...app.addresses().filter((each) => typeof each === 'object'))
    gateway?.blockAddresses(own)
    traffic.start()
    tokenUsage.start()
    remoteGateways?.start()
    // What it says of itself has changed since it took its identity.
    await nodes.look()
    outages.watch(log, reachOf(db))
    logEnds(ends, log)
    log.info({ version, url, node: process.version }, 'ready')
    const [database, readers, time] = [db, reader, opened]
    return {
      url,
      lost: nodes.lost,
      stop: async (isUrgent = false) => {
        isLeaving = true
        if (!isUrgent) await sleep(settings.shutdownDelayMs)
        await Promise.all([drain(app), gateway?.stop()])
        await publisher.stop()
        await remoteGateways?.stop()
        await traffic.stop()
        await tokenUsage.stop()
        await Promise.all([upstream.close(), procedures.close()])
        await nodes.stop()
        await time.stop()
        await readers.close()
        outages.stop()
        await database.destroy()
        log.info('stopped')
        log.flush()
      },
    }
  } catch (error) {
    outages.stop()
    log.error({ err: error }, 'start failed')
    await created?.publisher.stop()
    await created?.app.close()
    await port?.close()
    await created?.nodes.stop().catch(() => {})
    await opened?.stop()
    gateway?.forget()
    await reader?.close()
    await db?.destroy()
    // The start may be tried again and again.
    for (const each of [log, runLog]) closeLog(each)
    throw isDatabaseAway(error) ? startRefusal(error, settings.databaseUrl, dataDir.path) : error
  }
}

type Nodes = Awaited<ReturnType<typeof createApp>>['nodes']

/** Two servers with one identity would take each other's runs for their own of before a crash. */
async function takeIdentity(nodes: Nodes, folder: string): Promise<void> {
  const holder = await nodes.start()
  if (!holder) return
  throw new StartError(
    `Another server on this database has the same instance-id, and it runs: ${holder.name}, started at ` +
      `${holder.started_at}. ${folder} is a copy of its DATA_DIR. To start this one as a server of its own, ` +
      `delete the file instance-id in ${folder}.`,
  )
}

/** Resolves with the URL. Throws a StartError where the port is in use. */
export async function listen(app: FastifyInstance, { host, port }: Settings): Promise<string> {
  await app.listen({ host, port }).catch((error: unknown) => {
    throw portRefusal(error, { host, port })
  })
  const address = app.server.address() as AddressInfo
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(address.address)
  return `http://${isLocal ? 'localhost' : address.address}:${address.port}`
}
