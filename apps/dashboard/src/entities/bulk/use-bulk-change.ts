import type { BulkOutcome } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { useAction } from '../../lib/define-resource.ts'
import type { BulkKind, BulkVerb } from './bulk-words.ts'

/** What the dialog asks beside the rows. */
export interface BulkChoice {
  add: string[]
  remove: string[]
  /** Its id; blank where none is chosen. */
  role: string
}

export const noChoice: BulkChoice = { add: [], remove: [], role: '' }

/** What is still to be chosen. */
export function lackOf(verb: BulkVerb, { add, remove, role }: BulkChoice): string | undefined {
  if (verb === 'grant' && role === '') return 'Choose a role.'
  if (verb === 'tag' && add.length + remove.length === 0) return 'Name a tag to add or to remove.'
  return undefined
}

interface Input {
  ids: number[]
  choice: BulkChoice
}

/** Lists, access and choices of other screens may all have changed afterwards. */
export const useBulkChange = (kind: BulkKind, verb: BulkVerb) =>
  useAction([], (input: Input) => send(kind, verb, input))

async function send(kind: BulkKind, verb: BulkVerb, input: Input): Promise<BulkOutcome[]> {
  const { ids, choice } = input
  if (verb === 'grant') {
    const body = { role_id: Number(choice.role), endpoints: ids }
    return (await call('POST /api/api-permission/bulk', { body })).results
  }
  const tags = verb === 'tag' ? { add_tags: choice.add, remove_tags: choice.remove } : {}
  if (kind === 'endpoints')
    return (await call('POST /api/endpoint/bulk', { body: { action: verb, ids, ...tags } })).results
  if (verb === 'require_token') throw new Error('Only endpoints can be changed so.')
  return (await call('POST /api/apis/bulk', { body: { action: verb, ids, ...tags } })).results
}
