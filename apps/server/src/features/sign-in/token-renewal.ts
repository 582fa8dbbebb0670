import { setTimeout as sleep } from 'node:timers/promises'
import { isTokenCredential, type TokenCredential } from '@gatehouse/contract'
import type { HttpUpstream, ObtainedToken, SignInOutcome, SignInProblem } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { RowChange } from '../../db/tables.ts'
import { isHeld, isStillHeld, wishFor, type Lease } from '../../kernel/leases/lease-time.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { askAuthority } from './ask-authority.ts'
import { SignInFailure } from '../../kernel/sign-in-failure.ts'
import type { SignInPlace, SignInRow, SignInStore } from './sign-in-store.ts'
import { backOffMs, type IssuedToken, type SignInTarget } from './sign-in-target.ts'
import { issuedToken, type TokenRows } from './token-rows.ts'

export interface TokenRenewalOptions {
  store: SignInStore
  rows: TokenRows
  upstream: Pick<HttpUpstream, 'send'>
  clock: Clock
  log: Logger
  /** Names this server: no two use the same at a time. */
  owner: string
  /** The credential as it is stored now, and how to call; undefined: there is no such API. */
  targetOf: (place: SignInPlace) => Promise<SignInTarget | undefined>
}

/** Why a token is asked for. */
export type Wish =
  | { why: 'needed' }
  /** The one there is lives, and is to be replaced soon. */
  | { why: 'ahead' }
  /** An upstream has refused the token of this version. */
  | { why: 'refused'; version: number }
  /** An administrator wants to see it happen. */
  | { why: 'now' }

/** One attempt, with what it was decided on. */
interface Round {
  place: SignInPlace
  target: SignInTarget & { credential: TokenCredential }
  row: SignInRow
  wish: Wish
  startedAt: Date
}

const pollMs = 100
/** How long a call waits for a renewal of another server. */
const waitMaxMs = 120_000
/** Added to the time-outs of a sign-in: what it takes to commit it. */
const leaseMarginMs = 15_000
const commitAttemptsMax = 20
const commitPauseMs = 500
/** Renewals because of refused tokens are counted together for so long. */
const refusedTokensMs = 600_000

/**
 * Gives tokens from the database, and signs in where there is none: over all servers one at a time. The
 * lease is committed before the authority is asked, and its outcome before the token is used.
 */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions

  constructor(options: TokenRenewalOptions) {
    this.#options = options
  }

  /** Throws a `SignInFailure` where there is no token that lives. */
  async get(place: SignInPlace, wish: Wish): Promise<IssuedToken> {
    const { rows, store, clock } = this.#options
    const deadlineMs = performance.now() + waitMaxMs
    for (;;) {
      const target = await this.#targetOf(place)
      const row = await rows.current(place, target.credential)
      const startedAt = clock.now()
      const round = { place, target, row, wish, startedAt }
      const living = rows.living(row)
      if (living && isEnough(living, round)) return living
      const refusal = tooEarly(round)
      if (refusal) {
        // The one that lives is the one that was refused.
        if (living && wish.why !== 'refused') return living
        throw refusal
      }
      const lease = await wishFor(this.#options, leaseMsOf(target))
      if (await store.takeLease(place, row.version, lease)) {
        const issued = await this.#signIn(round, lease)
        if (issued) return issued
      }
      if (performance.now() > deadlineMs) {
        throw new SignInFailure('Another server is signing in, and has not finished in time.')
      }
      await sleep(pollMs)
    }
  }

  async #targetOf(place: SignInPlace) {
    const target = await this.#options.targetOf(place)
    if (!target) throw new AppError('api.not_found')
    const { credential } = target
    if (!credential || !isTokenCredential(credential)) {
      throw new SignInFailure('This API obtains no token.')
    }
    return { ...target, credential }
  }

  /**
   * Undefined where the credential was changed in the meantime, or the lease was over before anything was
   * sent. Throws what went wrong.
   */
  async #signIn(round: Round, lease: Lease): Promise<IssuedToken | undefined> {
    const { store, owner } = this.#options
    const outcome = await this.#ask(round, lease)
    if (outcome === 'too_late') {
      await store.finish(round.place, round.row.version, owner, {})
      return undefined
    }
    return outcome.ok ? this.#succeed(round, outcome.obtained) : this.#fail(round, outcome.problem)
  }

  /**
   * After a pause of the process, another server may have used the refresh token: an authority takes a second
   * use of it for a theft.
   */
  async #ask(
    { target, row, startedAt }: Round,
    { until }: Lease,
  ): Promise<SignInOutcome | 'too_late'> {
    const { upstream, rows, clock } = this.#options
    if (!(await isStillHeld(clock, until))) return 'too_late'
    const credential = rows.withRefreshToken(target.credential, row)
    let isTooLate = false
    const maySend = () => {
      isTooLate = !isHeld(clock, until)
      return !isTooLate
    }
    const outcome = await askAuthority(upstream, credential, target, startedAt, maySend)
    return isTooLate ? 'too_late' : outcome
  }

  async #succeed(round: Round, got: ObtainedToken): Promise<IssuedToken | undefined> {
    const { row, startedAt } = round
    const version = row.version + 1
    const isCommitted = await this.#finish(round, {
      ...this.#options.rows.columnsOf(row, got, startedAt),
      ...refusedTokens(round),
      version,
      is_refused: 0,
      message: '',
      is_answer_lost: 0,
      failures: 0,
      next_attempt_at: null,
    })
    if (!isCommitted) return undefined
    return issuedToken(got.token, version, startedAt, got.expiresAt, got.scope)
  }

  async #fail(round: Round, problem: SignInProblem): Promise<undefined> {
    const { place, target, row } = round
    const { clock, log } = this.#options
    const isRefused = problem.kind === 'refused'
    const isAnswerLost = problem.isAnswerLost === true || wasAnswerLost(round)
    const message =
      isRefused && isAnswerLost && problem.field === 'refresh_token'
        ? `${problem.message} The answer to an earlier renewal was lost, and with it the new refresh token. Enter the refresh token again.`
        : problem.message
    const failures = row.failures + 1
    const waitMs = Math.max(backOffMs(failures), (problem.retryAfterSeconds ?? 0) * 1_000)
    const isCommitted = await this.#finish(round, {
      ...refusedTokens(round),
      is_refused: isRefused ? 1 : 0,
      message,
      is_answer_lost: isAnswerLost ? 1 : 0,
      failures,
      next_attempt_at: new Date(clock.now().getTime() + waitMs).toISOString(),
    })
    if (!isCommitted) return undefined
    const about = { ...place, api: target.name, problem: message, detail: problem.detail }
    if (isRefused && row.is_refused === 0) {
      log.error(about, 'the upstream refuses the sign-in: enter it again in the API’s form')
    } else log.warn(about, 'a sign-in failed')
    throw new SignInFailure(message, {
      problem,
      isRefused,
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    })
  }

  /** A rotated refresh token exists nowhere else, so a database that is away is asked again for a while. */
  async #finish({ place, row }: Round, change: RowChange<'sign_in_token'>): Promise<boolean> {
    const { store, owner, log } = this.#options
    for (let attempt = 1; ; attempt++) {
      try {
        return await store.finish(place, row.version, owner, change)
      } catch (error) {
        if (attempt === commitAttemptsMax) throw error
        log.warn({ err: error, ...place }, 'a sign-in could not be saved, and is saved again')
        await sleep(commitPauseMs)
      }
    }
  }
}

const leaseMsOf = ({ connectTimeoutMs, answerTimeoutMs }: SignInTarget) =>
  connectTimeoutMs + answerTimeoutMs + leaseMarginMs

function isEnough(living: IssuedToken, { wish, startedAt }: Round): boolean {
  switch (wish.why) {
    case 'needed':
      return true
    case 'ahead':
      return living.renewAt > startedAt
    case 'refused':
      return living.version > wish.version
    case 'now':
    default:
      return false
  }
}

/** Why no sign-in may be tried yet. */
function tooEarly({ row, wish, startedAt }: Round): SignInFailure | undefined {
  if (wish.why === 'now') return undefined
  const failedUntilMs = row.next_attempt_at === null ? 0 : Date.parse(row.next_attempt_at)
  const refusedUntilMs =
    wish.why === 'refused' && row.refused_token_at !== null
      ? Date.parse(row.refused_token_at) + backOffMs(row.refused_tokens)
      : 0
  const waitMs = Math.max(failedUntilMs, refusedUntilMs) - startedAt.getTime()
  if (waitMs <= 0) return undefined
  const isFailing = failedUntilMs > startedAt.getTime()
  return new SignInFailure(isFailing ? row.message : '', {
    isRefused: isFailing ? row.is_refused === 1 : true,
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

/** Where an upstream refuses every token, each renewal in vain makes the next one wait longer. */
function refusedTokens({ row, wish, startedAt }: Round): RowChange<'sign_in_token'> {
  if (wish.why !== 'refused') return {}
  const lastMs = row.refused_token_at === null ? 0 : Date.parse(row.refused_token_at)
  const isRecent = startedAt.getTime() - lastMs < refusedTokensMs
  return {
    refused_tokens: isRecent ? row.refused_tokens + 1 : 1,
    refused_token_at: startedAt.toISOString(),
  }
}

/** A lease that nobody ended: its server died between the request and the commit. */
const wasAnswerLost = ({ row }: Round) => row.is_answer_lost === 1 || row.lease_owner !== null
