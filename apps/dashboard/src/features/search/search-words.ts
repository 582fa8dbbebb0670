import type { DocumentState, RunState, SearchHit, SearchKind } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { documentStateWords } from '../../entities/document/document-words.ts'
import { runStateWords } from '../../entities/run/run-words.ts'

export const kindTitles: Record<SearchKind, string> = {
  run: 'Runs',
  document: 'Documents',
  batch: 'Batches',
  workflow: 'Workflows',
}

export const searchKinds = Object.keys(kindTitles) as SearchKind[]

export const whatIsSearched =
  'Runs, documents, batches and workflows, by reference, customer, amount or any text of a request.'

export const whatIsInPalette =
  'Screens and actions by name; APIs, endpoints, users, runs, documents, batches and workflows.'

export const whatIsNot =
  'All words have to be in the same request. Names of fields, headers and answers of authorities are not searched.'

export const tooShort = 'Type two letters or digits, or the id of a run, such as #17.'

/** States of runs and of documents; where both have one, they mean the same. */
export const stateChoices = Object.entries({ ...documentStateWords, ...runStateWords }).map(
  ([value, label]) => ({ value: value as RunState | DocumentState, label }),
)

/** The page that shows a hit. */
export function addressOf({ kind, id, workflow }: SearchHit): string {
  switch (kind) {
    case 'run':
      return paths.run(id)
    case 'document':
      return paths.document(id)
    case 'workflow':
      return paths.workflow(id)
    case 'batch':
    default:
      return paths.batch(workflow?.id ?? 0, id)
  }
}

const titleOfKind: Record<SearchKind, string> = {
  run: 'Run',
  document: 'Document',
  batch: 'Batch',
  workflow: 'Workflow',
}

export const titleOf = ({ kind, id, title }: SearchHit): string =>
  title === '' ? `${titleOfKind[kind]} #${id}` : title
