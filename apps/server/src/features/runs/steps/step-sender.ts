import {
  renewFor,
  signInFor,
  type Carried,
  type Exchanged,
  type HttpAnswer,
  type HttpFailed,
  type SignedIn,
  type Tokens,
  type Upstream,
} from '@gatehouse/upstream'
import { SignInFailure } from '../../../kernel/sign-in-failure.ts'
import type { FrozenRequest } from './freeze-request.ts'
import { readLarge } from '../answers/read-large.ts'
import type { PlannedStep } from './plan-steps.ts'

/** Which endpoint is called, and what the call shows there. */
interface SignedStep extends Pick<PlannedStep, 'target' | 'credential'> {
  /** Settings that judge the answer too, beside those of the endpoint: of the step that a status query asks about. */
  judgedBy?: unknown
}

/** How a call is made. */
interface Sending {
  signal?: AbortSignal | undefined
  /** Sent with it over HTTP, unless the endpoint has a header of that name. */
  traceparent?: string | undefined
  /** Asked immediately before the first byte is written. False: nothing is sent. */
  maySend?: (() => boolean) | undefined
}

type SigningIn = { ok: true; carried: Carried } | { ok: false; exchanged: Exchanged }

type Renewal =
  | { what: 'renewed'; carried: Carried }
  /** The answer stands. */
  | { what: 'refused' }
  /** No token can be had now. */
  | { what: 'away'; why: HttpFailed }

/** Sends the frozen requests of steps with their credential, which is never stored. */
export class StepSender {
  readonly #upstream: Upstream
  readonly #tokens: Tokens

  constructor(upstream: Upstream, tokens: Tokens) {
    this.#upstream = upstream
    this.#tokens = tokens
  }

  /** What the call carries. Waits where a token has to be obtained first. Without one nothing is sent. */
  async signIn({ target, credential }: SignedStep): Promise<SigningIn> {
    try {
      return { ok: true, carried: await signInFor(credential, target.destination, this.#tokens) }
    } catch (cause) {
      const failed = notSent(cause)
      return { ok: false, exchanged: { answer: failed, shown: failed } }
    }
  }

  /**
   * What the call carries when it is repeated, where the answer refused a token that we had obtained.
   * A refused sign-in is certainly not done, so that even a submit may be repeated. Call it once for each
   * step.
   */
  async renew(
    { target, credential }: SignedStep,
    carried: Carried,
    answer: HttpAnswer,
  ): Promise<Renewal> {
    const refused = { tokens: this.#tokens, carried, answer }
    try {
      const renewed = await renewFor(credential, target.destination, refused)
      return renewed ? { what: 'renewed', carried: renewed } : { what: 'refused' }
    } catch (cause) {
      return { what: 'away', why: notSent(cause) }
    }
  }

  /** Signs in and sends. Where a token was refused, sends once more with a new one: for reads alone. */
  async exchange(
    asked: SignedStep,
    request: FrozenRequest,
    signal?: AbortSignal,
    traceparent?: string,
  ): Promise<Exchanged> {
    const signingIn = await this.signIn(asked)
    if (!signingIn.ok) return signingIn.exchanged
    const { carried } = signingIn
    const how = { signal, traceparent }
    const exchanged = await this.send(asked, request, carried, how)
    const renewal = await this.renew(asked, carried, exchanged.answer)
    return renewal.what === 'renewed' ? this.send(asked, request, renewal.carried, how) : exchanged
  }

  /** Sends the request once, and has a large answer read. */
  async send(
    { target, credential, judgedBy }: SignedStep,
    { body, headers, ...request }: FrozenRequest,
    signedIn: SignedIn,
    { signal, traceparent, maySend }: Sending,
  ): Promise<Exchanged> {
    const { destination, connectTimeoutMs, answerTimeoutMs } = target
    const isTold = traceparent !== undefined && destination.target.kind === 'http'
    const exchanged = await this.#upstream.send(
      destination.target,
      {
        ...request,
        headers: isTold ? { traceparent, ...headers } : headers,
        ...(body === null ? {} : { body }),
        connectTimeoutMs,
        answerTimeoutMs,
        ...(signal ? { signal } : {}),
        ...(maySend ? { maySend } : {}),
      },
      signedIn,
    )
    return readLarge(exchanged, [target.settings, credential, judgedBy])
  }
}

function notSent(cause: unknown): HttpFailed {
  const failure = cause instanceof SignInFailure ? cause : undefined
  const { retryAfterSeconds } = failure?.details ?? {}
  return {
    ok: false,
    code: 'sign_in',
    isSent: false,
    detail: failure?.message ?? 'the sign-in failed',
    durationMs: 0,
    ...(failure?.isRefused ? { isSignInRefused: true } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause,
  }
}
