import { errorTable, type Effect, type ErrorCode, type RunSummary } from '@gatehouse/contract'
import { JsonProblem, parseExact, type ExactJson } from '@gatehouse/contract/mapping'
import type { HttpAnswer, HttpUpstream } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { CallContext } from '../../kernel/mount.ts'
import type { Classified } from './classify-answer.ts'
import { freezeRequest, type FrozenRequest } from './freeze-request.ts'
import type { Ledger } from './ledger.ts'
import { bodyToSend } from './mapped-body.ts'
import type { Target, Targets } from './target.ts'

const answerShownCharacters = 65_536

/** An answer is shown where it could no longer be mapped: those limits are smaller (RUNS.md §Mapping). */
const shownJson = { maxBytes: 16 * 1024 * 1024, maxDepth: 100 }

export interface BuildRequestServiceOptions {
  targets: Targets
  ledger: Ledger
  upstream: HttpUpstream
  log: Logger
}

interface Exchange {
  answer: HttpAnswer
  classified: Classified
  run: RunSummary
}

/** Fetches from one endpoint and sends to another, each journalled as a run of one step. */
export class BuildRequestService {
  readonly #options: BuildRequestServiceOptions

  constructor(options: BuildRequestServiceOptions) {
    this.#options = options
  }

  listOptions(context: CallContext) {
    return this.#options.targets.list(context.caller)
  }

  /** Get: what the endpoint answers, which must be JSON. */
  async fetch(input: { end_point: number; body: string; token: string }, context: CallContext) {
    const target = await this.#target(input.end_point, context)
    const request = frozen(target, input.body, 'body')
    const exchange = await this.#exchange(target, request, input.token, context)
    refuseUnlessSucceeded(exchange)
    const json = readJson(exchange.answer)
    if (!json.ok) throw refusal('upstream.not_json', exchange, json.message)
    return { message: 'Data fetched successfully.', data: json.value, run: exchange.run }
  }

  /** Send: the mapped rows or the finished body. The mapping is done again here; no preview is trusted. */
  async send(
    input: { end_point: number; first_endpoint: string; second_endpoint: string; token: string },
    context: CallContext,
  ) {
    const target = await this.#target(input.end_point, context)
    const request = frozen(
      target,
      bodyToSend(input.first_endpoint, input.second_endpoint),
      'second_endpoint',
    )
    const exchange = await this.#exchange(target, request, input.token, context)
    refuseUnlessSucceeded(exchange)
    const json = readJson(exchange.answer)
    const data = json.ok ? json.value : textOf(exchange.answer)
    return { message: 'Data sent successfully.', data, run: exchange.run }
  }

  async #target(endpointId: number, { caller }: CallContext): Promise<Target> {
    const found = await this.#options.targets.find(endpointId, caller)
    if (!found.ok) throw fieldError({ end_point: [found.message] })
    return found.target
  }

  async #exchange(
    target: Target,
    request: FrozenRequest,
    token: string,
    context: CallContext,
  ): Promise<Exchange> {
    const { ledger, upstream, log } = this.#options
    const effect = (
      { GET: 'read', PUT: 'idempotent', POST: 'submit' } satisfies Record<string, Effect>
    )[request.method]
    const { caller, requestId } = context
    const open = await ledger.begin({ kind: 'build', caller, requestId, target, effect, request })
    const credential = token || target.upstreamToken
    const received = await upstream.send({
      method: request.method,
      url: request.url,
      headers: {
        ...request.headers,
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
      },
      ...(request.body === null ? {} : { body: request.body }),
      connectTimeoutMs: target.connectTimeoutMs,
      answerTimeoutMs: target.answerTimeoutMs,
      // Whoever leaves ends a read; what changes something is seen through to its answer.
      ...(effect === 'read' ? { signal: context.signal } : {}),
    })
    const answer = withoutCredential(received, credential)
    const { run, ...classified } = await ledger.finish(open, answer)
    // Never the URL: its query may hold what a body would.
    log[classified.state === 'succeeded' ? 'info' : 'warn'](
      {
        request_id: requestId,
        run_id: run.id,
        endpoint_id: target.endpointId,
        method: request.method,
        outcome: classified.outcome,
        status: answer.status,
        duration_ms: Math.round(answer.durationMs),
      },
      `${target.name}: ${classified.state}`,
    )
    return { answer, classified, run }
  }
}

function frozen(target: Target, body: string, field: string): FrozenRequest {
  const freezing = freezeRequest(target, body)
  if (!freezing.ok) throw fieldError({ [field]: [freezing.message] })
  return freezing.request
}

function refuseUnlessSucceeded(exchange: Exchange): void {
  const { state, errorCode } = exchange.classified
  if (state === 'succeeded') return
  throw refusal(state === 'unknown' ? 'run.unknown' : (errorCode ?? 'upstream.status'), exchange)
}

/** The refusal shows what came back, so that the person who waits need not look for it elsewhere. */
function refusal(code: ErrorCode, { answer, run }: Exchange, message?: string): AppError {
  const status = answer.status === undefined ? undefined : `The upstream answered ${answer.status}.`
  return new AppError(code, {
    ...(message ? { message } : {}),
    ...(code === 'upstream.status' && status ? { message: status } : {}),
    ...(answer.ok ? {} : { cause: answer.cause }),
    extra: {
      run,
      detail: answer.ok ? status : answer.detail,
      answer: answer.ok ? textOf(answer) : null,
    },
  })
}

/**
 * An upstream may show us our own request again. The credential is taken out before anything is
 * stored or shown: whoever may fetch is not meant to read it.
 */
function withoutCredential(answer: HttpAnswer, credential: string | undefined): HttpAnswer {
  if (!answer.ok || !credential) return answer
  const clean = (text: string) => text.replaceAll(credential, '[credential]')
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, clean(value)]),
  )
  const body = answer.body.includes(credential)
    ? Buffer.from(clean(answer.body.toString('utf8')))
    : answer.body
  return { ...answer, headers, body }
}

type ReadJson = { ok: true; value: ExactJson } | { ok: false; message: string }

function readJson(answer: HttpAnswer): ReadJson {
  if (!answer.ok || answer.body.length === 0)
    return { ok: false, message: 'The upstream sent an empty answer.' }
  try {
    return {
      ok: true,
      value: parseExact(answer.body.toString('utf8').replace(/^\uFEFF/, ''), shownJson),
    }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    // JSON that can't be taken is told apart from what is none.
    const message =
      error.reason === 'syntax'
        ? errorTable['upstream.not_json'].message
        : `The upstream's JSON can't be used: ${error.message}`
    return { ok: false, message }
  }
}

const textOf = (answer: HttpAnswer) =>
  answer.ok && answer.body.length > 0
    ? answer.body.toString('utf8').slice(0, answerShownCharacters)
    : null
