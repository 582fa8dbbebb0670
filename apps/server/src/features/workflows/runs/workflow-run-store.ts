import type { Db } from '../../../db/connect.ts'
import { heldUntilCommit, withoutIndex } from '../../../db/dialect.ts'

type WorkflowRunStore = ReturnType<typeof workflowRunStore>
export type WorkflowRunRow = NonNullable<Awaited<ReturnType<WorkflowRunStore['find']>>>

interface RunChoice {
  slug: string
  /** Only runs of this user. Absent: of all. */
  userId: number | undefined
  /** Blank: any. */
  key: string
  reference: string
  limit: number
}

/** What callers of workflows see of the ledger. */
export function workflowRunStore(db: Db) {
  const ofWorkflow = (slug: string, userId: number | undefined) =>
    db
      .selectFrom('run')
      .innerJoin('workflow', 'workflow.id', 'run.workflow_id')
      .selectAll('run')
      .select('workflow.slug')
      .where('workflow.slug', '=', slug)
      .$if(userId !== undefined, (query) => query.where('run.user_id', '=', userId ?? 0))

  return {
    find: (slug: string, id: number, userId: number | undefined) =>
      ofWorkflow(slug, userId).where('run.id', '=', id).executeTakeFirst(),
    /** Newest first. Keys and references are rarer than the runs of a workflow: their index decides. */
    list: ({ slug, userId, key, reference, limit }: RunChoice) =>
      ofWorkflow(slug, userId)
        .where(withoutIndex(db, 'run.workflow_id'), 'is not', null)
        .$if(key !== '', (query) => query.where('run.client_key', '=', key))
        .$if(reference !== '', (query) => query.where('run.reference', '=', reference))
        .orderBy('run.id', 'desc')
        .limit(limit)
        .execute(),
    /** The newest run of a user by one of its names, of whatever workflow. */
    findOwn: (
      userId: number,
      { id, key, reference }: { id?: number; key?: string; reference?: string },
    ) =>
      db
        .selectFrom('run')
        .innerJoin('workflow', 'workflow.id', 'run.workflow_id')
        .select(['run.id', 'workflow.slug'])
        .where(withoutIndex(db, 'run.user_id'), '=', userId)
        .$if(id !== undefined, (query) => query.where('run.id', '=', id ?? 0))
        .$if(key !== undefined, (query) => query.where('run.client_key', '=', key ?? ''))
        .$if(reference !== undefined, (query) => query.where('run.reference', '=', reference ?? ''))
        .orderBy('run.id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** The newest call of a user that a person has to release, by its id or reference. Calls have no keys. */
    findCall: (
      userId: number,
      { id, key, reference }: { id?: number; key?: string; reference?: string },
    ) =>
      key !== undefined
        ? Promise.resolve(undefined)
        : db
            .selectFrom('run')
            .selectAll()
            .where(withoutIndex(db, 'user_id'), '=', userId)
            .where(withoutIndex(db, 'kind'), '=', 'call')
            .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
            .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? ''))
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirst(),
    /** The workflow with this slug as a run of it needs it; undefined where it was deleted. */
    findRunnable: (slug: string) =>
      db
        .selectFrom('workflow')
        .innerJoin('lane', 'lane.id', 'workflow.lane_id')
        .select([
          'workflow.id',
          'workflow.slug',
          'workflow.kind',
          'workflow.version',
          'workflow.lane_id',
          'lane.max_age_minutes',
        ])
        .where('workflow.slug', '=', slug)
        .where('workflow.deleted_at', 'is', null)
        .executeTakeFirst(),
    /** Its version and status; inside a transaction they can't change until its end. */
    holdCurrent: (id: number) =>
      heldUntilCommit(
        db,
        db
          .selectFrom('workflow')
          .select(['version', 'status'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null),
      ).executeTakeFirst(),
    /** A version as JSON text; versions never change. */
    findDefinition: (workflowId: number, version: number) =>
      db
        .selectFrom('workflow_version')
        .select('definition')
        .where('workflow_id', '=', workflowId)
        .where('version', '=', version)
        .executeTakeFirst(),
    /** The current versions by slug; only of workflows that one of these roles has, if they are given. */
    listDescribed: (roleIds: readonly number[] | undefined, limit: number) =>
      db
        .selectFrom('workflow')
        .innerJoin('workflow_version', (join) =>
          join
            .onRef('workflow_version.workflow_id', '=', 'workflow.id')
            .onRef('workflow_version.version', '=', 'workflow.version'),
        )
        .select(['workflow.slug', 'workflow.version', 'workflow_version.definition'])
        .where('workflow.deleted_at', 'is', null)
        .$if(roleIds !== undefined, (query) =>
          query.where((where) =>
            where.exists((select) =>
              select
                .selectFrom('role_workflow')
                .select('role_workflow.role_id')
                .whereRef('role_workflow.workflow_id', '=', 'workflow.id')
                .where('role_workflow.role_id', 'in', roleIds?.length ? roleIds : [0]),
            ),
          ),
        )
        .orderBy('workflow.slug')
        .limit(limit)
        .execute(),
    findEntry: (runId: number) =>
      db
        .selectFrom('lane_entry')
        .select(['tries', 'next_try_at', 'deadline_at', 'message'])
        .where('run_id', '=', runId)
        .executeTakeFirst(),
    /** The latest answer of each step, also of a step whose answer is taken over from another run. */
    listAnswers: (stepIds: readonly number[]) =>
      stepIds.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('run_attempt')
            .select(['step_id', 'answer_body'])
            .where('step_id', 'in', stepIds)
            .where('kind', 'in', ['send', 'resend'])
            .where('answer_body', 'is not', null)
            .orderBy('number')
            .execute(),
    /** What the authority said about the document that the run carries, the last step's first. */
    findDocument: (runId: number) =>
      db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document.authority_reference', 'document.qr'])
        .where('document_step.run_id', '=', runId)
        .where('document.run_id', '=', runId)
        .orderBy('document_step.position', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}
