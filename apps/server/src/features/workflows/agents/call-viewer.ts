import type { WorkflowRun } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import { viewWorkflowRun } from '../runs/workflow-run-view.ts'

/** A run as an agent sees it: the call of an endpoint carries out no workflow. */
export type AgentRun = Omit<WorkflowRun, 'workflow'>

type Choice = Parameters<Stores['workflowRuns']['findCall']>[1]

/** Shows agents what became of their calls that a person has to release. */
export class CallViewer {
  readonly #stores: Pick<Stores, 'releases' | 'runs' | 'workflowRuns'>
  readonly #archived: ArchivedRuns

  constructor(stores: Pick<Stores, 'releases' | 'runs' | 'workflowRuns'>, archived: ArchivedRuns) {
    this.#stores = stores
    this.#archived = archived
  }

  /** Undefined where this user has no such call. */
  async find(choice: Choice, userId: number): Promise<AgentRun | undefined> {
    const row = await this.#stores.workflowRuns.findCall(userId, choice)
    if (!row) return undefined
    const view = await viewWorkflowRun(this.#stores, { ...row, slug: '' }, this.#archived)
    const { workflow: _, ...run } = view
    return run
  }

  async get(id: number, userId: number): Promise<AgentRun> {
    const run = await this.find({ id }, userId)
    if (!run) throw new AppError('run.not_found')
    return run
  }
}
