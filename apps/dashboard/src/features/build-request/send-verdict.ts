import type { Outcome, RunSummary } from '@gatehouse/contract'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { prettyJson } from '../../lib/format/pretty-json.ts'
import { readRun } from '../../entities/run/read-run.ts'
import { buildRequestMessages } from './build-request-messages.ts'

/**
 * What is known of a Get or Send that did not succeed. `unknown`: it may have been received.
 * `failed`: the endpoint was asked, and
 * did not do it. `not-sent`: nothing was done anywhere.
 */
export interface Verdict {
  kind: 'unknown' | 'failed' | 'not-sent'
  title: string
  /** The error's message and what else the server knows, without repeating itself. */
  details: string[]
  run: RunSummary | undefined
  requestId: string | undefined
  /** What the endpoint answered, where it did. */
  answer: string
}

export function verdictOf(error: unknown, action: 'fetch' | 'send'): Verdict {
  const details = error instanceof CallError ? error.details : {}
  const run = readRun(details['run'])
  const { kind, title } = judge(error, run, action)
  const answer = typeof details['answer'] === 'string' ? prettyJson(details['answer']) : ''
  return {
    kind,
    title,
    details: sentences(isSaidByTitle(error) ? '' : messageOf(error), details['detail'], title),
    run,
    requestId: error instanceof CallError ? error.requestId : undefined,
    answer,
  }
}

/** The message for an unknown outcome is what the title and the advice beneath it say. */
function isSaidByTitle(error: unknown) {
  return error instanceof CallError && error.code === 'run.unknown'
}

function judge(error: unknown, run: RunSummary | undefined, action: 'fetch' | 'send') {
  const step = run?.steps.at(-1)
  if (run?.state === 'unknown') return unknown
  if (step?.outcome) return judgeOutcome(step.outcome, step.status, action)
  if (action === 'fetch') return notSent('Nothing was fetched')
  // No word of a run: either our server refused before it began one, or its answer was lost.
  return wasRefusedByUs(error) ? notSent('Nothing was sent') : unknown
}

function wasRefusedByUs(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.code !== 'answer.unreadable' && error.status >= 400 && error.status < 500
}

function judgeOutcome(outcome: Outcome, status: number | null, action: 'fetch' | 'send') {
  const suffix = status === null ? '' : ` (status ${status})`
  switch (outcome) {
    case 'not_sent':
      return notSent(action === 'fetch' ? 'Nothing was fetched' : 'Nothing was sent')
    case 'rejected':
      return failed(`The endpoint rejected it${suffix}`)
    case 'auth':
      return failed(`The endpoint did not accept the credentials${suffix}`)
    case 'throttled':
      return failed(`The endpoint asks to wait before the next request${suffix}`)
    case 'duplicate':
    case 'ok_duplicate':
      return failed(`The endpoint says that it has this already${suffix}`)
    case 'partial':
      return failed(`The endpoint accepted a part of it and rejected the rest${suffix}`)
    case 'ok':
    case 'pending':
      // The call went well; what came back was of no use.
      return failed(`The endpoint’s answer could not be used${suffix}`)
    case 'cut':
    case 'timeout':
    case 'server_error':
    case 'crash':
    default:
      return failed(
        action === 'fetch'
          ? `The endpoint did not deliver${suffix}`
          : `Not confirmed${suffix}: sending the same again does no harm`,
      )
  }
}

const unknown = { kind: 'unknown', title: buildRequestMessages.unknownTitle } as const
const failed = (title: string) => ({ kind: 'failed', title }) as const
const notSent = (title: string) => ({ kind: 'not-sent', title }) as const

function sentences(message: string, detail: unknown, title: string): string[] {
  const all = typeof detail === 'string' ? [message, detail] : [message]
  return [...new Set(all)].filter((sentence) => sentence !== '' && sentence !== title)
}
