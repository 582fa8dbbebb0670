import type { LaneSettings, WorkflowKind, WorkflowStatus } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { containsText } from '../../../db/dialect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../../db/listing.ts'
import { writeRow } from '../../../db/tables/column.ts'
import { laneForm } from '../../../db/tables/workflows.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'
import { workflowEndpointStore } from './workflow-endpoint-store.ts'
import { updateIfUnchanged } from '../../../db/update-if-unchanged.ts'

type WorkflowStore = ReturnType<typeof workflowStore>
export type VersionRow = Row<'workflow_version'>
/** A workflow with its current version and its lane. */
export type StoredWorkflow = NonNullable<Awaited<ReturnType<WorkflowStore['find']>>>

export interface WorkflowFilter extends ListQuery {
  kind?: WorkflowKind | undefined
  status?: WorkflowStatus | undefined
}

const textColumns = ['name', 'slug', 'kind', 'status']
/** Runs in these states still need their workflow. */
const openStates = ['queued', 'running', 'pending', 'unknown', 'waits_for_release'] as const
/** Versions that are looked through for a slug of before. */
const formerMax = 1000
const versionColumns = ['version', 'created_at', 'user_name', 'changes'] as const

/** Workflows that are not deleted, and their versions. */
export function workflowStore(db: Db) {
  const filtered = ({ search, kind, status }: WorkflowFilter) =>
    db
      .selectFrom('workflow')
      .where('workflow.deleted_at', 'is', null)
      .$if(search !== '', (query) =>
        query.where(
          containsWords(search, ['workflow.name', 'workflow.slug', 'workflow.description']),
        ),
      )
      .$if(kind !== undefined, (query) => query.where('workflow.kind', '=', kind ?? 'general'))
      .$if(status !== undefined, (query) => query.where('workflow.status', '=', status ?? 'active'))

  const current = () =>
    db
      .selectFrom('workflow')
      .innerJoin('workflow_version', (join) =>
        join
          .onRef('workflow_version.workflow_id', '=', 'workflow.id')
          .onRef('workflow_version.version', '=', 'workflow.version'),
      )
      .innerJoin('lane', 'lane.id', 'workflow.lane_id')
      .selectAll('workflow')
      .select([
        'workflow_version.definition',
        'workflow_version.user_name',
        'lane.name as lane_name',
        'lane.concurrency',
        'lane.per_second',
        'lane.per_minute',
        'lane.per_hour',
        'lane.max_age_minutes',
        'lane.is_strict_order',
      ])
      .where('workflow.deleted_at', 'is', null)

  return {
    ...workflowEndpointStore(db),
    list: (filter: WorkflowFilter) =>
      readPage(
        filtered(filter)
          .innerJoin('lane', 'lane.id', 'workflow.lane_id')
          .selectAll('workflow')
          .select('lane.name as lane_name')
          .orderBy(listOrder(filter.sort, 'workflow.id', textColumns)),
        filter,
      ),
    find: (id: number) => current().where('workflow.id', '=', id).executeTakeFirst(),
    findBySlug: (slug: string) => current().where('workflow.slug', '=', slug).executeTakeFirst(),
    insert: (row: NewRow<'workflow'>) =>
      db.insertInto('workflow').values(row).returning('id').executeTakeFirstOrThrow(),
    /** Undefined where another user has changed it since this version. */
    update: (id: number, version: number, change: RowChange<'workflow'>) =>
      updateIfUnchanged(db, 'workflow', id, version, change),
    /** The last workflow with this slug, where it was deleted: its runs and their keys are still there. */
    findDeleted: (slug: string) =>
      db
        .selectFrom('workflow')
        .select(['id', 'version'])
        .where('deleted_at', 'is not', null)
        .where(sql<boolean>`slug = ${slug} || '~' || id`)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** Another workflow that had this slug before it was renamed, and runs with a key of their caller. */
    findFormer: async (slug: string, ownId: number): Promise<{ name: string } | undefined> => {
      const versions = await db
        .selectFrom('workflow_version')
        .innerJoin('workflow', 'workflow.id', 'workflow_version.workflow_id')
        .select(['workflow.name', 'workflow_version.definition'])
        .where('workflow.id', '<>', ownId)
        .where(containsText(db, 'workflow_version.definition', `"slug":${JSON.stringify(slug)}`))
        .where((where) =>
          where.exists((each) =>
            each
              .selectFrom('run')
              .select('run.id')
              .whereRef('run.workflow_id', '=', 'workflow.id')
              .where('run.client_key', 'is not', null),
          ),
        )
        .limit(formerMax)
        .execute()
      const slugOf = (definition: string) => (JSON.parse(definition) as { slug?: string }).slug
      return versions.find(({ definition }) => slugOf(definition) === slug)
    },
    bringBack: (id: number, change: RowChange<'workflow'>) =>
      db
        .updateTable('workflow')
        .set({ ...change, deleted_at: null })
        .where('id', '=', id)
        .execute(),
    /** Its runs and versions stay; it gives its slug back, which no slug can equal from now on. */
    remove: async (id: number, now: string) => {
      await db
        .updateTable('workflow')
        .set({ deleted_at: now, slug: sql<string>`slug || '~' || id` })
        .where('id', '=', id)
        .execute()
    },
    insertVersion: (row: NewRow<'workflow_version'>) =>
      db.insertInto('workflow_version').values(row).execute(),
    /** Newest first, without their definitions. */
    listVersions: (id: number, list: ListQuery) =>
      readPage(
        db
          .selectFrom('workflow_version')
          .select(versionColumns)
          .where('workflow_id', '=', id)
          .orderBy('version', list.sort === 'version' ? 'asc' : 'desc'),
        list,
      ),
    findVersion: (id: number, version: number) =>
      db
        .selectFrom('workflow_version')
        .select(versionColumns)
        .select('definition')
        .where('workflow_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst(),
    listLanes: () => db.selectFrom('lane').selectAll().orderBy('name').limit(1000).execute(),
    /** The lane of this name with these settings: it is made, or changed for all who share it. */
    saveLane: async (settings: LaneSettings): Promise<number> => {
      const { name, ...columns } = writeRow(laneForm, settings)
      const { id } = await db
        .insertInto('lane')
        .values({ name, ...columns })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Other workflows in the lane of this name. */
    listSharing: (lane: string, ownId: number | undefined) =>
      db
        .selectFrom('workflow')
        .innerJoin('lane', 'lane.id', 'workflow.lane_id')
        .select(['workflow.id', 'workflow.slug', 'workflow.name'])
        .where('lane.name', '=', lane)
        .where('workflow.deleted_at', 'is', null)
        .where('workflow.id', '<>', ownId ?? 0)
        .orderBy('workflow.name')
        .limit(100)
        .execute(),
    /** Runs that have not ended, or whose outcome is not known: the first of them. */
    listOpenRuns: (id: number, limit: number) =>
      db
        .selectFrom('run')
        .select(['id', 'state'])
        .where('workflow_id', '=', id)
        .where('state', 'in', openStates)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    listEndpoints: (ids: readonly number[]) =>
      db
        .selectFrom('endpoint')
        .innerJoin('api', 'api.id', 'endpoint.api_id')
        .select([
          'endpoint.id',
          'endpoint.summary',
          'endpoint.method_type',
          'endpoint.path',
          'endpoint.api_id',
          'api.name as api_name',
        ])
        .where('endpoint.id', 'in', [...ids, 0])
        .orderBy('endpoint.id')
        .execute(),
  }
}
