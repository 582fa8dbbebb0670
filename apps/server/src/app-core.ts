import type { RequestListener, Server } from 'node:http'
import type { AddressGuard, HttpUpstream, ProcedureUpstream } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Db } from './db/connect.ts'
import { isPostgres } from './db/dialect.ts'
import { signInsOf, signInOf } from './features/apis/sign-in-of.ts'
import { createSignIn } from './features/sign-in/create-sign-in.ts'
import { recheckUnattended } from './features/session/caller-of.ts'
import { holdUser, SessionCheck } from './features/session/session-check.ts'
import { SignInNotices } from './features/sign-in-notices/sign-in-notices.ts'
import { AdminTokenCheck } from './features/tokens/admin-token-check.ts'
import { TokenCheck } from './features/tokens/token-check.ts'
import { CallbackUrls } from './features/workflows/callbacks/callback-urls.ts'
import { runReporter } from './features/workflows/callbacks/report-runs.ts'
import type { Caller } from './kernel/caller.ts'
import type { Clock } from './kernel/clock.ts'
import { noteHeldUp } from './kernel/http/held-up.ts'
import { Mailer } from './kernel/mail/mailer.ts'
import type { PartEnds } from './kernel/http/part-ends.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import type { GatewayLink } from './publishing/gateway-link.ts'
import { GatewayConfigs } from './publishing/gateways/gateway-configs.ts'
import { Publisher } from './publishing/publisher.ts'
import type { Settings } from './settings/settings.ts'
import { createStores, inTransactionOn, readTogetherOn, type Stores } from './stores.ts'

export interface AppOptions {
  db: Db
  /** Where long reads go, so that they hold up no other call. */
  readers: Db
  clock: Clock
  log: Logger
  /** The log of the runs. */
  runLog: Logger
  secrets: SecretBox
  guard: AddressGuard
  upstream: HttpUpstream
  procedures: ProcedureUpstream
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  settings: Settings
  instanceId: string
  /** See `DataDir.place`; blank unless given. */
  place?: string
  /** How far the machine's clock is ahead; absent where that clock counts. */
  clockOffset?: (() => { ms: number; errorMs: number }) | undefined
  /** See `NodeState`; absent where nothing starts parts of this server again. */
  ends?: PartEnds | undefined
  /** The server is about to stop, and serves until then. */
  isLeaving?: () => boolean
  /** See `PasswordResetOptions.pauseMs`. */
  resetPauseMs?: () => number
  /** The check value of the key that it seals with. */
  sealsWith?: string
  version: string
  dashboardFolder: string
  /** The admin port where it listens already; absent: it listens once the app does. */
  serverFactory?: (handler: RequestListener) => Server
}

export type AppCore = ReturnType<typeof createCore>

/** What all features share: stores, transactions that publish, checks of callers, sign-ins of APIs. */
export function createCore(options: AppOptions) {
  const { db, clock, log, settings } = options
  const stores = createStores(db, clock)
  const signIn = createSignInOf(options, stores)
  const { service: tokens } = signIn
  const gateways = gatewayConfigsOf(options, stores)
  const publisher = new Publisher({
    ...options,
    gateways,
    databaseUrl: settings.databaseUrl,
    onChange: () => tokens.forget(),
  })
  const { sessionIdleMs: idleMs, sessionMaxMs: maxMs } = settings
  const check = new SessionCheck({ clock, idleMs, maxMs })
  const tokenCheck = new TokenCheck({ clock, holdUser })
  const adminTokenCheck = new AdminTokenCheck({ clock, holdUser })
  const checkFor = (caller: Caller) => {
    if (caller.adminToken) return adminTokenCheck
    return caller.tokenId === undefined ? check : tokenCheck
  }
  /** Checks a caller again, who may have lost the session or the permission since. */
  const again = (within: Stores, caller: Caller) =>
    caller.isUnattended ? recheckUnattended(within, caller) : checkFor(caller).again(within, caller)
  const publish = async () => {
    tokens.forget()
    noteHeldUp(await publisher.publish())
  }
  const callbackUrls = new CallbackUrls()
  const report = runReporter({ urls: callbackUrls, clock })
  const mailer = settings.mail && new Mailer({ ...options, account: settings.mail })
  const { publicUrl } = settings
  const notices = new SignInNotices({ stores, clock, log, mailer, publicUrl })
  const inTransaction = inTransactionOn(db, clock, {
    publish,
    judge: again,
    report,
    tell: (events) => notices.tell(events),
  })
  const readTogether = readTogetherOn(db, clock)
  return {
    signIn,
    /** Undefined: the product sends no e-mails. */
    mailer,
    notices,
    publisher,
    /** Undefined where no gateway can run alone. */
    gateways,
    check,
    tokenCheck,
    adminTokenCheck,
    again,
    callbackUrls,
    /** Lists, searches and exports of tables that only grow. */
    longReads: createStores(options.readers, clock),
    /** What most features take. */
    common: { stores, inTransaction, readTogether, clock, log },
  }
}

/** Undefined where no gateway can run alone: SQLite has one process. */
function gatewayConfigsOf({ db, clock, secrets, gateway, settings }: AppOptions, stores: Stores) {
  const isServing = gateway !== undefined || settings.role === 'control'
  if (!isPostgres(db) || !isServing) return undefined
  return new GatewayConfigs({ stores, inTransaction: inTransactionOn(db, clock), secrets, clock })
}

function createSignInOf({ secrets, upstream, clock, log, instanceId }: AppOptions, stores: Stores) {
  return createSignIn({
    stores,
    secrets,
    upstream,
    clock,
    log,
    owner: instanceId,
    targetOf: async ({ apiId, which }) => {
      const api = await stores.apis.find(apiId)
      return api && signInOf(secrets, api, which)
    },
    listTargets: async () => signInsOf(secrets, await stores.apis.listAll()),
  })
}
