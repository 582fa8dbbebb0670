import { setImmediate } from 'node:timers/promises'
import {
  isTokenCredential,
  type ApiSignIn,
  type SignInResult,
  type SignInState,
  type StoredTls,
} from '@gatehouse/contract'
import { checkTls } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { SignInFailure } from '../../kernel/sign-in-failure.ts'
import type { SignInService } from './sign-in-service.ts'
import type { SignInPlace, SignInRow } from './sign-in-store.ts'
import type { SignInTarget } from './sign-in-target.ts'

interface ApiTarget extends SignInPlace, Pick<SignInTarget, 'name' | 'credential' | 'tls'> {}

export interface SignInStatusOptions {
  service: SignInService
  targetOf: (place: SignInPlace) => Promise<SignInTarget | undefined>
  /** What each API shows at its base URL and its test base URL, by name. What can't be read is left out. */
  listTargets: () => Promise<ApiTarget[]>
  /** Keeps in the audit trail who signed in, and what came of it. */
  record: (actor: Actor, place: SignInPlace, name: string, after: object) => Promise<unknown>
  clock: Clock
}

/** An authority may lock an account after a few sign-ins. */
const testsPerMinuteMax = 6
const minuteMs = 60_000

/** What administrators see of an API's sign-in. */
export class SignInStatus {
  readonly #options: SignInStatusOptions
  readonly #tests = new Map<number, number[]>()

  constructor(options: SignInStatusOptions) {
    this.#options = options
  }

  async show(place: SignInPlace): Promise<SignInState> {
    const { service, clock } = this.#options
    const target = await this.#targetOf(place)
    const { credential } = target
    const isObtained = credential !== null && isTokenCredential(credential)
    const row = isObtained ? await service.find(place, credential) : undefined
    return describe(target, row, clock.now())
  }

  /** Of every API that has a sign-in or a client certificate. */
  async list(): Promise<ApiSignIn[]> {
    const { service, listTargets, clock } = this.#options
    const [targets, live, test] = await Promise.all([
      listTargets(),
      service.findAll('live'),
      service.findAll('test'),
    ])
    const found: ApiSignIn[] = []
    for (const { apiId, which, ...target } of targets) {
      const { name, credential } = target
      const isObtained = credential !== null && isTokenCredential(credential)
      const find = which === 'live' ? live : test
      const row = isObtained ? find(apiId, credential) : undefined
      const shown = describe(target, row, clock.now())
      if (shown.state === 'none' && !shown.certificate) continue
      found.push({ ...shown, api_id: apiId, api_name: name, which })
      // Certificates take a while to read, and other calls wait meanwhile.
      if (shown.certificate) await setImmediate()
    }
    return found
  }

  /** Signs in now. A refusal is a 422 on the field to look at. */
  async test(place: SignInPlace, actor: Actor): Promise<SignInResult> {
    const { name, credential } = await this.#targetOf(place)
    const nothing = { obtained_at: null, expires_at: null, scope: '' }
    if (!credential) {
      return { ...nothing, ok: false, kind: null, message: 'This API has no upstream sign-in.' }
    }
    const { kind } = credential
    if (!isTokenCredential(credential)) {
      const message = 'This sign-in is sent with each call as it is. There is no token to obtain.'
      return { ...nothing, ok: true, kind, message }
    }
    this.#count(place.apiId)
    try {
      const issued = await this.#options.service.signInNow(place)
      await this.#options.record(actor, place, name, { kind, ok: true })
      return {
        ok: true,
        kind,
        obtained_at: issued.obtainedAt.toISOString(),
        expires_at: issued.expiresAt.toISOString(),
        scope: issued.scope,
        message: 'Signed in.',
      }
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error
      await this.#options.record(actor, place, name, { kind, ok: false, message: error.message })
      throw onField(error, place)
    }
  }

  async #targetOf(place: SignInPlace): Promise<SignInTarget> {
    const target = await this.#options.targetOf(place)
    if (!target) throw new AppError('api.not_found')
    return target
  }

  #count(apiId: number): void {
    const nowMs = this.#options.clock.now().getTime()
    const recent = (this.#tests.get(apiId) ?? []).filter((at) => nowMs - at < minuteMs)
    const [first] = recent
    if (first !== undefined && recent.length >= testsPerMinuteMax) {
      throw new AppError('server.busy', {
        message: 'An API’s sign-in can be tested six times a minute.',
        retryAfterSeconds: Math.ceil((first + minuteMs - nowMs) / 1_000),
      })
    }
    this.#tests.set(apiId, [...recent, nowMs])
  }
}

function describe(
  { credential, tls }: Pick<SignInTarget, 'credential' | 'tls'>,
  row: SignInRow | undefined,
  now: Date,
): SignInState {
  const certificate = tls && certificateOf(tls)
  const nothing = {
    obtained_at: null,
    expires_at: null,
    message: '',
    certificate,
    refresh_token: null,
  }
  if (!credential) return { ...nothing, kind: null, state: 'none' }
  const { kind } = credential
  if (!isTokenCredential(credential)) return { ...nothing, kind, state: 'static' }
  if (!row) return { ...nothing, kind, state: 'never' }
  const { obtained_at, expires_at, message } = row
  const times = { obtained_at, expires_at, refresh_token: refreshTokenOf(row) }
  return { kind, state: stateOf(row, now), ...times, message, certificate }
}

const refreshTokenOf = ({ refresh_since: since, refresh_expires_at: expires_at }: SignInRow) =>
  since === null || expires_at === null ? null : { since, expires_at }

function stateOf(row: SignInRow, now: Date): SignInState['state'] {
  if (row.is_refused === 1) return 'refused'
  if (row.expires_at === null) return 'never'
  return new Date(row.expires_at) > now ? 'valid' : 'expired'
}

/** A certificate that is over is shown too. */
function certificateOf(tls: StoredTls): SignInState['certificate'] {
  const checked = checkTls(tls, new Date(0))
  if (!checked.ok || !checked.certificate) return null
  const { subject, expires_at } = checked.certificate
  return { subject, expires_at }
}

/** The refusal of an authority is the administrator's to mend; anything else is the upstream's. */
function onField(failure: SignInFailure, { which }: SignInPlace): AppError {
  const { problem, message } = failure
  if (!problem) return failure
  const path = `${which === 'live' ? 'credential' : 'test_credential'}.${problem.field}`
  const fields = { [path]: [message] }
  if (problem.kind === 'refused') return fieldError(fields)
  return new AppError('upstream.sign_in', { message, fields, cause: failure })
}
