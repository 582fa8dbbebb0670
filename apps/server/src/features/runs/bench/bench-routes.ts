import { judgeAnswer, judgedBodyMaxLength, lastAnswer, type LastAnswer } from '@gatehouse/contract'
import { noCredential } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { mount } from '../../../kernel/mount.ts'
import type { RunHistoryStore } from '../history/run-history-store.ts'
import type { Targets } from '../steps/target.ts'
import { judgeOnBench } from './judge-bench.ts'

interface BenchOptions {
  targets: Targets
  history: RunHistoryStore
  clock: Clock
}

/** Where run settings are tried on answers, before they are saved. Nothing is kept. */
export function benchRoutes(app: FastifyInstance, { targets, history, clock }: BenchOptions): void {
  mount(app, judgeAnswer, async ({ body }) => {
    const { api_id } = body
    const credential = api_id === undefined ? undefined : await targets.credentialOf(api_id)
    return judgeOnBench(body, credential ?? noCredential, clock.now())
  })
  mount(app, lastAnswer, async ({ params }) => {
    const found = await history.findLastAnswer(params.id)
    return found ? toLastAnswer(found) : null
  })
}

type Found = NonNullable<Awaited<ReturnType<RunHistoryStore['findLastAnswer']>>>

function toLastAnswer(found: Found): LastAnswer {
  const { run_id, position, kind, started_at, status, answer_headers, answer_body } = found
  return {
    run_id,
    position,
    at: found.finished_at ?? started_at,
    is_resend: kind === 'resend',
    status,
    headers: JSON.parse(answer_headers ?? '{}') as Record<string, string>,
    body: answer_body.length > judgedBodyMaxLength ? null : answer_body,
  }
}
