import { workflowRunsMax, type WorkflowRun } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import { viewWorkflowRun } from './workflow-run-view.ts'

interface RunPlace {
  slug: string
  id: number
}

interface RunQuestion {
  key: string
  reference: string
  answers: boolean
}

/** Shows callers of workflows what became of their runs. */
export class WorkflowRunService {
  readonly #stores: Pick<Stores, 'releases' | 'runs' | 'workflowRuns'>
  readonly #archived: ArchivedRuns

  constructor(stores: Pick<Stores, 'releases' | 'runs' | 'workflowRuns'>, archived: ArchivedRuns) {
    this.#stores = stores
    this.#archived = archived
  }

  /** Throws 404 where the caller may not see the run, as if there were none. */
  async show(place: RunPlace, withAnswers: boolean, caller: Caller): Promise<WorkflowRun> {
    const run = await this.find(place, withAnswers, caller)
    if (!run) throw new AppError('run.not_found')
    return run
  }

  /** Undefined where the caller may not see the run. */
  async find(
    { slug, id }: RunPlace,
    withAnswers: boolean,
    caller: Caller,
  ): Promise<WorkflowRun | undefined> {
    const row = await this.#stores.workflowRuns.find(slug, id, visibleUser(caller))
    return row && viewWorkflowRun(this.#stores, row, withAnswers && this.#archived)
  }

  /** The runs with this key and reference that the caller may see, newest first. */
  async list(
    slug: string,
    { key, reference, answers }: RunQuestion,
    caller: Caller,
  ): Promise<WorkflowRun[]> {
    const rows = await this.#stores.workflowRuns.list({
      slug,
      userId: visibleUser(caller),
      key,
      reference,
      // Answers may be long.
      limit: answers ? 1 : workflowRunsMax,
    })
    const shown: WorkflowRun[] = []
    for (const row of rows)
      shown.push(await viewWorkflowRun(this.#stores, row, answers && this.#archived))
    return shown
  }
}

/** The user whose runs the caller sees; undefined: those of all. A token sees those of its user. */
const visibleUser = (caller: Caller) =>
  caller.tokenId === undefined && can(caller, 'run.view') ? undefined : caller.user.id
