import type { AgentReply } from '@gatehouse/contract/gateway'
import { statusTool } from '@gatehouse/contract/gateway'
import { isUnderWay } from '../../runs/ledger/run-state.ts'
import type { AgentRun } from './call-viewer.ts'

type Result = Extract<AgentReply, { what: 'result' }>

/** With answers, a run may be far longer than an agent reads. */
const runCharactersMax = 256 * 1024

export const errorResult = (...texts: string[]): Result => ({
  what: 'result',
  texts,
  structured: null,
  isError: true,
})

/** A run with what an agent should do about it; the run itself is data. */
export function runResult(run: AgentRun): Result {
  const whole = JSON.stringify({ run })
  const isShort = whole.length <= runCharactersMax
  const steps = run.steps.map(({ answer: _, ...step }) => step)
  const structured = isShort ? whole : JSON.stringify({ run: { ...run, steps } })
  const cut = isShort ? [] : ['Its answers are too long to be shown here.']
  return {
    what: 'result',
    texts: [wordsOf(run), ...cut, structured],
    structured,
    isError: failedStates.has(run.state),
    isWaiting: run.state === 'waits_for_release',
  }
}

const failedStates: ReadonlySet<AgentRun['state']> = new Set([
  'unknown',
  'rejected',
  'partial',
  'blocked',
  'stopped',
  'not_started',
  'cancelled',
])

const again = {
  call: 'Do not call this again',
  run: 'Do not call this again with another idempotency_key',
}

function wordsOf({ id, kind, state, message }: AgentRun): string {
  const why = message === null ? '' : ` ${message}`
  if (state === 'succeeded') return `Run ${id} has succeeded.`
  if (state === 'unknown')
    return `The answer of run ${id} was lost. It may have been carried out. ${again[kind === 'call' ? 'call' : 'run']}; ask what became of it with the tool ${statusTool}.${why}`
  if (state === 'waits_for_release')
    return `Run ${id} waits for release.${why} Ask later with the tool ${statusTool}.`
  if (isUnderWay(state))
    return `Run ${id} is under way (${state}).${why} Ask later with the tool ${statusTool}.`
  return `Run ${id} has ended: ${state}.${why}`
}
