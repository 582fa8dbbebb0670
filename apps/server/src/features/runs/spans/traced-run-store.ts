import type { Db } from '../../../db/connect.ts'

/** What spans are made of, without bodies, answers and queries; part of the run history. */
export function tracedRunStore(db: Db) {
  return {
    listTraced: (ids: readonly number[]) =>
      db
        .selectFrom('run')
        .leftJoin('workflow', 'workflow.id', 'run.workflow_id')
        .select(['run.id', 'run.kind', 'run.state', 'run.epoch', 'run.is_test', 'run.request_id'])
        .select(['run.workflow_version', 'workflow.slug'])
        .where('run.id', 'in', ids)
        .execute(),
    listTracedSteps: (ids: readonly number[]) =>
      db
        .selectFrom('run_step')
        .leftJoin('endpoint', 'endpoint.id', 'run_step.endpoint_id')
        .select(['run_step.id', 'run_step.run_id', 'run_step.position', 'run_step.endpoint_id'])
        .select(['run_step.endpoint_name', 'run_step.effect', 'run_step.state', 'run_step.method'])
        .select(['run_step.reused_from', 'endpoint.path'])
        .where('run_step.run_id', 'in', ids)
        .orderBy('run_step.position')
        .execute(),
    listTracedAttempts: (ids: readonly number[]) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['run_attempt.id', 'run_attempt.step_id', 'run_attempt.number', 'run_attempt.kind'])
        .select(['run_attempt.started_at', 'run_attempt.finished_at', 'run_attempt.outcome'])
        .select(['run_attempt.error_code', 'run_attempt.status', 'run_attempt.url'])
        .where('run_step.run_id', 'in', ids)
        .where('run_attempt.kind', 'in', ['send', 'resend'])
        .where('run_attempt.finished_at', 'is not', null)
        .orderBy('run_attempt.number')
        .execute(),
  }
}

export type TracedRunStore = ReturnType<typeof tracedRunStore>
export type TracedRun = Awaited<ReturnType<TracedRunStore['listTraced']>>[number]
export type TracedStep = Awaited<ReturnType<TracedRunStore['listTracedSteps']>>[number]
export type TracedAttempt = Awaited<ReturnType<TracedRunStore['listTracedAttempts']>>[number]
