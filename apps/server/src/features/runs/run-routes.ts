import {
  askRuns,
  checkGap,
  cancelRun,
  closeRun,
  closeRuns,
  listRuns,
  listUnclear,
  queryStatus,
  resolveRun,
  resolveRuns,
  resumeRun,
  resumeRuns,
  retryRun,
  runByKey,
  runEvents,
  showAnswer,
  showRun,
  unknownRuns,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toLongPage } from '../../kernel/to-page.ts'
import type { RunCanceller } from './actions/cancel-run.ts'
import type { RunCloser } from './actions/close-run.ts'
import type { StepInquirer } from './actions/status-query/query-step.ts'
import type { RunResolver } from './actions/resolve-run.ts'
import type { RunResumer } from './actions/resume-run.ts'
import type { Correction, RunRetrier } from './actions/retry-run.ts'
import type { SeveralRuns } from './history/several-runs.ts'
import type { RunEvents } from './history/run-events.ts'
import type { RunHistoryService } from './history/run-history-service.ts'
import type { UnclearRuns } from './history/unclear-runs.ts'
import type { GapChecker } from './journal/check-gap.ts'

interface RunServices {
  history: RunHistoryService
  events: RunEvents
  resumer: RunResumer
  resolver: RunResolver
  inquirer: StepInquirer
  canceller: RunCanceller
  closer: RunCloser
  retrier: RunRetrier
  unclear: UnclearRuns
  several: SeveralRuns
  gap: GapChecker
}

export function runRoutes(app: FastifyInstance, services: RunServices): void {
  const { history, events, resumer, resolver, inquirer, canceller, closer, retrier } = services
  mount(app, listRuns, async ({ query }) =>
    toLongPage(await history.list(query), query, (run) => run),
  )
  mount(app, unknownRuns, () => history.unknown())
  mount(app, runByKey, ({ params, query }, { caller }) =>
    history.byKey(params.key, query.kind || undefined, caller),
  )
  mount(app, showRun, ({ params, query }, { caller }) =>
    history.show(params.id, caller, query.archived),
  )
  mount(app, showAnswer, ({ params, query }) => history.answer(params.id, params.n, query.attempt))
  mount(app, runEvents, async ({ params }, { caller, signal, setHeader }) => {
    await history.refuseUnlessVisible(params.id, caller)
    // A proxy that buffers the stream would delay the events.
    setHeader('x-accel-buffering', 'no')
    return { type: runEvents.answers, body: events.follow(params.id, caller, signal) }
  })
  mount(app, resumeRun, ({ params, body }, context) => {
    const tokens = Object.fromEntries(byPosition(body).map(([at, each]) => [at, each.token]))
    return resumer.resume(params.id, { tokens, confirmsHeld: body.confirm_held }, context)
  })
  mount(app, resolveRun, ({ params, body }, context) => resolver.resolve(params.id, body, context))
  mount(app, cancelRun, ({ params }, context) => canceller.cancel(params.id, context))
  mount(app, closeRun, ({ params, body }, context) => closer.close(params.id, body.reason, context))
  unclearRoutes(app, services)
  mount(app, queryStatus, ({ params, body }, context) => inquirer.query(params.id, body, context))
  mount(app, retryRun, ({ params, body }, context) => {
    const corrections = new Map<number, Correction>()
    for (const [at, { body: text, token, end_point, test_invoice }] of byPosition(body)) {
      const dependencyField = at === 2 ? body.endpoint_2?.dependency_field : undefined
      const repeated = { endpointId: end_point, isTest: test_invoice }
      corrections.set(at, { body: text, token, dependencyField, ...repeated })
    }
    const { from_start: isFromStart, confirm_held: confirmsHeld } = body
    return retrier.retry(params.id, { corrections, isFromStart, confirmsHeld }, context)
  })
}

/** The work list, and what is done to several runs. */
function unclearRoutes(app: FastifyInstance, { unclear, several, gap }: RunServices): void {
  mount(app, listUnclear, async ({ query }, { caller }) =>
    toLongPage(await unclear.list({ ...query, key: '' }, caller), query, (run) => run),
  )
  mount(app, askRuns, ({ body }, context) => several.ask(body, context))
  mount(app, resumeRuns, ({ body }, context) => several.resume(body, body.confirm_held, context))
  mount(app, resolveRuns, ({ body }, context) => several.resolve(body, context))
  mount(app, checkGap, ({ body }, context) => gap.check(body.after, context))
  mount(app, closeRuns, ({ body }, context) => several.close(body, context))
}

/** What a request says of steps, by their position. */
function byPosition<T>(body: { [step: `endpoint_${number}`]: T | undefined }): [number, T][] {
  return Object.entries(body).flatMap(([name, each]) =>
    name.startsWith(prefix) && each !== undefined
      ? [[Number(name.slice(prefix.length)), each] as [number, T]]
      : [],
  )
}
const prefix = 'endpoint_'
