import { createHash, randomUUID } from 'node:crypto'
import type { RunKind, RunState, StepState } from '@gatehouse/contract'
import type { NewRow } from '../../apps/server/src/db/tables.ts'

export const days = 730
export const firstDay = Date.UTC(2024, 10, 22)
export const userNames = ['Amal Haddad', 'Bilal Nasser', 'Carla Gomez', 'Dana Saleh'].concat(
  Array.from({ length: 36 }, (_, index) => `Clerk ${String(index + 1).padStart(2, '0')}`),
)
export const endpointNames = [
  'Report customer',
  'Report invoice',
  'Report payment',
  'Report receipt',
]

/** How a run ended, how often in a thousand, and the state of the step that decided it. */
const endings: [RunState, number, StepState][] = [
  ['succeeded', 880, 'succeeded'],
  ['rejected', 60, 'rejected'],
  ['blocked', 20, 'blocked'],
  ['stopped', 15, 'waiting'],
  ['not_started', 15, 'waiting'],
  ['unknown', 10, 'unknown'],
]
const outcomeOf = {
  succeeded: ['ok', 200],
  rejected: ['rejected', 422],
  blocked: ['auth', 401],
  waiting: ['not_sent', null],
  unknown: ['timeout', null],
} as const

/** The idempotency key of a run, in no order, as keys are. */
export const keyOf = (number: number): string =>
  createHash('sha256').update(`key of ${number}`).digest('hex').slice(0, 32)

/** The same in every run of the bench, and as if thrown. */
export function dice(number: number, salt: number, sides: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % sides
}

/** A run of the history and the states of its steps. */
export function planRun(number: number, runs: number) {
  const kind: RunKind =
    (['build', 'build', 'build', 'tax', 'tax', 'tax', 'tax', 'tax', 'credit', 'credit'] as const)[
      dice(number, 1, 10)
    ] ?? 'tax'
  const [state, , decisive] = endingOf(dice(number, 2, 1000))
  const length = kind === 'build' ? 1 : 1 + dice(number, 3, kind === 'tax' ? 4 : 3)
  const stopsAt = state === 'stopped' ? Math.min(1, length - 1) : dice(number, 4, length)
  const states = Array.from({ length }, (_, at): StepState => {
    if (state === 'succeeded' || at < stopsAt) return 'succeeded'
    return at === stopsAt ? decisive : 'waiting'
  })
  // A few use it much, many a little.
  const user = Math.min(dice(number, 5, userNames.length), dice(number, 6, userNames.length))
  const at = new Date(firstDay + Math.floor((number / runs) * days * 86_400_000)).toISOString()
  const reference =
    kind === 'build'
      ? null
      : `${kind === 'tax' ? 'INV' : 'CRN'}-${at.slice(0, 4)}-${String(number).padStart(6, '0')}`
  const request_id = randomUUID()
  const key = keyOf(number)
  const user_name = userNames[user] ?? ''
  const run: NewRow<'run'> = {
    kind,
    state,
    is_test: dice(number, 7, 100) < 6 ? 1 : 0,
    idempotency_key: `${kind}:${user + 1}:${key}`,
    client_key: key,
    content_sha256: createHash('sha256').update(key).digest('hex'),
    reference,
    user_id: user + 1,
    user_name,
    request_id,
    created_at: at,
    finished_at: at,
    epoch: 1,
    unknown_since: state === 'unknown' ? at : null,
    search_text: [reference ?? '', user_name, request_id, ...endpointNames.slice(0, length)]
      .join(' ')
      .trim()
      .toLowerCase(),
  }
  return { run, states }
}

function endingOf(thrown: number): (typeof endings)[number] {
  let sum = 0
  return endings.find(([, share]) => thrown < (sum += share)) ?? ['succeeded', 0, 'succeeded']
}

/** A step that went wrong may have been tried before. */
export function attemptsOf(
  step: NewRow<'run_step'>,
  step_id: number,
  salt: number,
): NewRow<'run_attempt'>[] {
  const isLater = step.state === 'waiting' && dice(salt, 8, 2) === 0
  if (isLater || !(step.state in outcomeOf)) return []
  const [outcome, status] = outcomeOf[step.state as keyof typeof outcomeOf]
  const tries = dice(salt, 9, 20) === 0 ? 2 : 1
  return Array.from({ length: tries }, (_, index) => ({
    step_id,
    number: index + 1,
    kind: 'send',
    owner: 'bench',
    started_at: step.frozen_at ?? '',
    finished_at: step.frozen_at ?? '',
    outcome: index + 1 < tries ? ('not_sent' as const) : outcome,
    status: index + 1 < tries ? null : status,
    duration_ms: 120,
    answer_headers: '{"content-type":"application/json"}',
    answer_body: `{"id":${step_id},"status":"${outcome}","qr":"${'Q'.repeat(300)}"}`,
    answer_bytes: 350,
    user_id: 1,
    user_name: userNames[0] ?? '',
    url: step.url,
  }))
}
