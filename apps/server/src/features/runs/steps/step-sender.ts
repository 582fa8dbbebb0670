import {
  renewFor,
  signInFor,
  type Carried,
  type Exchanged,
  type HttpAnswer,
  type SignedIn,
  type Tokens,
  type Upstream,
} from '@gatehouse/upstream'
import { AppError } from '../../../kernel/app-error.ts'
import type { FrozenRequest } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/** Which endpoint is called, and what the call shows there. */
export type SignedStep = Pick<PlannedStep, 'target' | 'credential'>

/** How a call is made. */
interface Sending {
  signal?: AbortSignal | undefined
  /** Sent with it over HTTP, unless the endpoint has a header of that name. */
  traceparent?: string | undefined
  /** Asked immediately before the first byte is written. False: nothing is sent. */
  maySend?: (() => boolean) | undefined
}

type SigningIn = { ok: true; carried: Carried } | { ok: false; exchanged: Exchanged }

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
      return { ok: false, exchanged: notSent(cause) }
    }
  }

  /**
   * What the call carries when it is repeated, where the answer refused a token that we had obtained.
   * Undefined where there is nothing to repeat it with. A refused sign-in is certainly not done, so that
   * even a submit may be repeated. Call it once for each step.
   */
  async renew(
    { target, credential }: SignedStep,
    carried: Carried,
    answer: HttpAnswer,
  ): Promise<Carried | undefined> {
    const refused = { tokens: this.#tokens, carried, answer }
    // The refusal is the outcome where there is no new token, for whatever reason.
    return renewFor(credential, target.destination, refused).catch(() => undefined)
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
    const renewed = await this.renew(asked, carried, exchanged.answer)
    return renewed ? this.send(asked, request, renewed, how) : exchanged
  }

  /** Sends the request once. */
  send(
    { target }: SignedStep,
    { body, headers, ...request }: FrozenRequest,
    signedIn: SignedIn,
    { signal, traceparent, maySend }: Sending,
  ): Promise<Exchanged> {
    const { destination, connectTimeoutMs, answerTimeoutMs } = target
    const isTold = traceparent !== undefined && destination.target.kind === 'http'
    return this.#upstream.send(
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
  }
}

function notSent(cause: unknown): Exchanged {
  const isKnown = cause instanceof AppError && cause.code === 'upstream.sign_in'
  const detail = isKnown ? cause.message : 'the sign-in failed'
  const failed = {
    ok: false,
    code: 'sign_in',
    isSent: false,
    detail,
    durationMs: 0,
    cause,
  } as const
  return { answer: failed, shown: failed }
}
