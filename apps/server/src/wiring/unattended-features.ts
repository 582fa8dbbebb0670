import type { FastifyInstance } from 'fastify'
import type { AppCore, AppOptions } from '../app-core.ts'
import { databaseSize } from '../db/dialect.ts'
import { alarmLooks } from '../features/alarms/alarm-looks.ts'
import { ChannelMailer } from '../features/alarms/channels/channel-senders.ts'
import { testSender } from '../features/alarms/channels/send-test.ts'
import { alarmsDuty, createAlarms } from '../features/alarms/create-alarms.ts'
import { createArchive } from '../features/archive/create-archive.ts'
import { Duty } from '../features/duties/duty.ts'
import { createDeletions } from '../features/deletions/create-deletions.ts'
import { createDeliveries } from '../features/deliveries/create-deliveries.ts'
import type { SecretRef } from '../features/deliveries/delivery-target.ts'
import { webhookSender } from '../features/deliveries/webhook-sender.ts'
import { DocumentCounter } from '../features/documents/document-counter.ts'
import { CallbackSecrets } from '../features/workflows/callbacks/callback-secrets.ts'
import { createHooks } from '../features/workflows/hooks/create-hooks.ts'
import { createCallbacks } from '../features/workflows/callbacks/create-callbacks.ts'
import { createReconciliationFeature } from '../features/reconciliation/create-reconciliation.ts'
import { nodesHeard } from '../features/nodes/nodes-heard.ts'
import { createIssuers } from '../features/issuers/create-issuers.ts'
import { createSchedules } from '../features/schedules/create-schedules.ts'
import { callerOf } from '../features/session/caller-of.ts'
import { createSearch } from '../features/search/create-search.ts'
import { refuseUnfit } from './refuse-unfit.ts'
import type { createRunFeatures } from './run-features.ts'

/** Work that a server does by itself. */
interface Keeper {
  start(): void | Promise<void>
  stop(): Promise<void>
}

interface Needed {
  core: AppCore
  options: AppOptions
  sending: ReturnType<typeof createRunFeatures>
  /** Says at the start whether the installation is held. */
  hold: Keeper
}

/** Wires what happens without a person: schedules, deliveries, alarms, archives. */
export function createUnattendedFeatures({ core, options, sending, hold }: Needed) {
  const { upstream, version, instanceId: owner } = options
  const { stores } = core.common
  const callbackSecrets = new CallbackSecrets(options.secrets)
  const mailer = new ChannelMailer({ ...options, stores })
  const secretsOf = async ({ of, id }: SecretRef, at: Date) =>
    of === 'workflow' ? callbackSecrets.of(stores, id, at) : mailer.secretsOf(id)
  const webhook = webhookSender({ upstream, version, secretsOf })
  const deliveries = createDeliveries({
    ...core.common,
    owner,
    longReads: core.longReads.deliveries,
    senders: { webhook, 'e-mail': (delivery, how) => mailer.deliver(delivery, how) },
  })
  const alarms = alarmsOf(core, options, {
    wake: () => deliveries.keeper.wake(),
    sendTest: testSender({
      guard: options.guard,
      webhookWith: (secret) =>
        webhookSender({ upstream, version, secretsOf: async () => [secret] }),
      clock: core.common.clock,
    }),
  })
  const search = searchOf(core, owner)
  const documentCounter = createDocumentCounter(core, owner)
  const callbacks = createCallbacks({
    ...core.common,
    urls: core.callbackUrls,
    wake: () => deliveries.keeper.wake(),
  })
  const schedules = schedulesOf(core, owner, sending)
  const reconciliation = reconciliationOf(core, owner, sending)
  const hooks = createHooks({
    ...core.common,
    secrets: options.secrets,
    starter: sending.starter,
    callerOf: (userId) => callerOf(stores, userId),
  })
  const archive = archiveOf(core, options, sending)
  const issuers = createIssuers({ ...core.common, upstream })
  const deletions = createDeletions({ ...core.common, refuseUnfit })
  const features: { mountOn: (app: FastifyInstance) => void }[] = [
    deliveries,
    alarms,
    callbacks,
    schedules,
    reconciliation,
    hooks,
    search,
    archive,
    issuers,
    deletions,
  ]
  const keepers: Keeper[] = [
    hold,
    deliveries.keeper,
    callbacks.keeper,
    alarms.keeper,
    documentCounter,
    schedules.keeper,
    reconciliation.keeper,
    search.keeper,
    archive.keeper,
    issuers.keeper,
    deletions.keeper,
  ]
  return {
    features,
    /** The outbox. */
    deliveries,
    alarms,
    documentCounter,
    /** Reports of batches that have ended. */
    batchReporter: callbacks.keeper,
    schedules,
    reconciliation,
    /** Reads what is searched for. */
    texts: search.keeper,
    archive: archive.keeper,
    /** Keys of those who sign JWTs. */
    issuerKeys: issuers.keeper,
    /** Call it before the server listens, once the lanes carry runs out; all of it stops with the app. */
    start: async () => {
      for (const keeper of keepers) await keeper.start()
    },
    mountOn: (app: FastifyInstance) => {
      app.addHook('preClose', async () => {
        for (const keeper of keepers) await keeper.stop()
      })
    },
  }
}

function searchOf({ common, longReads }: AppCore, owner: string) {
  const duty = new Duty({ ...common, name: 'search words', owner })
  return createSearch({ ...common, longReads, duty })
}

function alarmsOf(
  { common, longReads, signIn }: AppCore,
  options: AppOptions,
  telling: Pick<Parameters<typeof createAlarms>[0], 'wake' | 'sendTest'>,
) {
  const { runLog, settings, secrets, instanceId: owner } = options
  return createAlarms({
    ...common,
    ...telling,
    secrets,
    baseUrl: settings.publicUrl,
    runLog,
    duty: new Duty({ ...common, name: alarmsDuty, owner }),
    looks: alarmLooks({
      sources: longReads.alarmSources,
      settings,
      signIns: () => signIn.status.list(),
      nodesHeard: async (withinMs) =>
        nodesHeard(await common.stores.nodes.list(), common.clock.now(), withinMs),
    }),
  })
}

function createDocumentCounter({ common }: AppCore, owner: string): DocumentCounter {
  return new DocumentCounter({
    ...common,
    duty: new Duty({ ...common, name: 'document-counts', owner }),
  })
}

/** Runs of a schedule start on behalf of its user. */
function schedulesOf({ common }: AppCore, owner: string, { starter, lists }: Needed['sending']) {
  return createSchedules({
    ...common,
    owner,
    starter,
    lists,
    callerOf: (userId) => callerOf(common.stores, userId),
  })
}

function archiveOf(
  { common, longReads }: AppCore,
  options: AppOptions,
  sending: Needed['sending'],
) {
  const { instanceId: owner, settings } = options
  return createArchive({
    ...common,
    longReads,
    owner,
    folder: settings.archiveDir,
    threads: sending.archived.threads,
    duty: new Duty({ ...common, name: 'archive', owner }),
    databaseSize: () => databaseSize(options.readers),
    databaseFolder: settings.databaseUrl === undefined ? settings.dataDir : undefined,
  })
}

/** Lists are fetched on behalf of the user of a comparison. */
function reconciliationOf({ common }: AppCore, owner: string, { lists, runs }: Needed['sending']) {
  const feature = createReconciliationFeature({
    ...common,
    lists,
    duty: new Duty({ ...common, name: 'reconciliation', owner }),
    callerOf: (userId) => callerOf(common.stores, userId),
  })
  runs.gap.reads(feature.readAuthorityLists)
  return feature
}
