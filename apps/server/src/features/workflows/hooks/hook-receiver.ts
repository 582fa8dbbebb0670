import type { ErrorCode, RunState } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { readRow } from '../../../db/tables/column.ts'
import { hookRules } from '../../../db/tables/hooks.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { WorkflowRunStarter } from '../runs/workflow-run-starter.ts'
import { passes, receiptKeyOf } from './hook-message.ts'
import type { HookSecrets } from './hook-secrets.ts'
import { RefusalLimit } from './refusal-limit.ts'
import { isInWindow, isSigned } from './verify-signature.ts'

interface HookReceiverOptions {
  stores: Pick<Stores, 'hooks' | 'runs'>
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  secrets: HookSecrets
  starter: WorkflowRunStarter
  callerOf: (userId: number) => Promise<Caller | undefined>
}

type StoredHook = NonNullable<Awaited<ReturnType<Stores['hooks']['findByName']>>>
type Hook = StoredHook & { rules: ReturnType<typeof rulesOf> }
type Context = Omit<CallContext<undefined>, 'caller'>
type Received = { run: { id: number; state: RunState } | null }

const rulesOf = (hook: StoredHook) => readRow(hookRules, hook)

const dayMs = 86_400_000
/** A message whose signed moment is checked can't come later. The body of any other counts for 30 days. */
const keptDays = { dated: 1, undated: 30 }
/** How often what was received or refused is noted with the hook. */
const noteEveryMs = 5_000

/** Where a hook is unknown, one is verified that nobody can have signed: it takes as long. */
const unknownHook = {
  scheme: {
    header: 'webhook-signature',
    prefix: 'v1,',
    encoding: 'base64',
    signed: 'id.timestamp.body',
    timestamp_header: 'webhook-timestamp',
    id_header: 'webhook-id',
  },
  secrets: ['no sender has this secret'],
} as const

/** The caller or the workflow is at fault, not the message: the sender is to try again. */
const notReady: ReadonlySet<ErrorCode> = new Set([
  'permission.denied',
  'session.unauthenticated',
  'workflow.not_found',
  'workflow.paused',
])

/** Rolls back a run of a message that was taken before. */
class TakenBefore extends Error {
  override name = 'TakenBefore'
}

/** Takes messages of other systems: a signed one starts a run, once. */
export class HookReceiver {
  readonly #options: HookReceiverOptions
  readonly #limit: RefusalLimit
  readonly #notedMs = new Map<string, number>()

  constructor(options: HookReceiverOptions) {
    this.#options = options
    this.#limit = new RefusalLimit(options.clock)
  }

  /**
   * Resolves once the run is committed; `run` is null where the filter leaves the message out. Throws 401
   * alike for an unknown name and for a signature that does not fit.
   */
  async receive(name: string, bodyText: string, context: Context): Promise<Received> {
    this.#limit.check(context.address)
    const stored = await this.#options.stores.hooks.findByName(name)
    const hook = stored && { ...stored, rules: rulesOf(stored) }
    const body = Buffer.from(bodyText)
    const refusal = this.#refusalOf(hook, body, context)
    if (!hook || refusal !== undefined) {
      this.#limit.note(context.address)
      const { address, requestId } = context
      this.#options.log.warn(
        { hook: name.slice(0, 60), address, requestId, refusal },
        'a webhook was refused',
      )
      if (hook) await this.#note(hook, { refusal: refusal ?? '' })
      throw new AppError('session.unauthenticated')
    }
    try {
      const received = await this.#accept(hook, bodyText, context)
      await this.#note(hook, {})
      return received
    } catch (error) {
      const known = refusalFor(error)
      await this.#note(hook, { refusal: known?.message ?? 'It could not be stored.' })
      throw known ?? error
    }
  }

  /** Why the message is not believed; undefined where it is. */
  #refusalOf(hook: Hook | undefined, body: Buffer, { header }: Context): string | undefined {
    const { secrets, clock } = this.#options
    const at = clock.now()
    const scheme = hook ? hook.rules.scheme : unknownHook.scheme
    const accepted = hook ? secrets.of(hook, at) : unknownHook.secrets
    if (!isSigned(scheme, accepted, { body, header })) return 'The signature does not fit.'
    if (!hook) return 'There is no such hook.'
    return isInWindow(scheme, hook.window_seconds, header, at)
      ? undefined
      : 'Its timestamp is too far from the time of the server.'
  }

  async #accept(hook: Hook, bodyText: string, context: Context): Promise<Received> {
    if (hook.is_paused === 1) throw new AppError('hook.paused', { retryAfterSeconds: 300 })
    if (!(await passes(hook.rules.filter, bodyText, context))) {
      context.setStatus(200)
      return { run: null }
    }
    const key = receiptKeyOf(hook.rules.scheme, bodyText, context)
    const known = await this.#runOf(hook, key)
    if (known) return { run: known }
    try {
      await this.#start(hook, key, bodyText, context)
    } catch (error) {
      // The same message came twice at once: the other one has started the run.
      if (!(error instanceof TakenBefore)) throw error
    }
    return { run: (await this.#runOf(hook, key)) ?? null }
  }

  async #start(hook: Hook, key: string, inputText: string, context: Context): Promise<void> {
    const { callerOf, starter, clock } = this.#options
    const found = await callerOf(hook.user_id)
    if (!found) throw new AppError('session.unauthenticated', { message: 'Its user was deleted.' })
    const caller: Caller = { ...found, isUnattended: true, access: 'workflow.run' }
    const { requestId, address, header } = context
    const receivedMs = clock.now().getTime()
    const days = hook.rules.scheme.signed === 'body' ? keptDays.undated : keptDays.dated
    const receipt = {
      hook_id: hook.id,
      receipt_key: key,
      remove_at: new Date(receivedMs + days * dayMs).toISOString(),
    }
    await starter.start(
      {
        slug: hook.slug,
        inputText,
        key: `hook-${hook.id}-${receivedMs}-${key}`,
        isTest: false,
        beside: async ({ hooks }, run_id) => {
          if (!(await hooks.insertReceipt({ ...receipt, run_id }))) throw new TakenBefore()
        },
      },
      { caller, requestId, address, traceparent: header('traceparent') },
    )
  }

  async #runOf({ id }: Hook, key: string) {
    const { hooks, runs } = this.#options.stores
    const receipt = await hooks.findReceipt(id, key)
    const state = receipt && (await runs.findState(receipt.run_id))?.state
    return receipt && state && { id: receipt.run_id, state }
  }

  /** For the screen: not each of many messages is noted. */
  async #note({ id }: Hook, { refusal }: { refusal?: string }): Promise<void> {
    const { inTransaction, clock, log } = this.#options
    const at = clock.now()
    const noted = `${id} ${refusal === undefined}`
    if (at.getTime() - (this.#notedMs.get(noted) ?? 0) < noteEveryMs) return
    this.#notedMs.set(noted, at.getTime())
    const now = at.toISOString()
    const change =
      refusal === undefined
        ? { last_received_at: now }
        : { last_refused_at: now, last_refusal: refusal.slice(0, 500) }
    await inTransaction(async ({ hooks }) => {
      await hooks.update(id, change)
      await hooks.removeReceipts(now)
    }).catch((error: unknown) => log.warn({ err: error, hook: id }, 'a webhook can’t be noted'))
  }
}

/** What the sender is told; undefined: as it was thrown. */
function refusalFor(error: unknown): AppError | undefined {
  if (!(error instanceof AppError)) return undefined
  if (!notReady.has(error.code)) return error
  return new AppError('hook.not_ready', { retryAfterSeconds: 300, cause: error })
}
