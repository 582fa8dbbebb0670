import { useRef, useState } from 'react'
import type { BulkAnswer, BulkOutcome } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { useUndo } from '../undo/use-undo.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { inParts } from '../../lib/calls/in-parts.ts'
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

/** Rows by their ids, or all that the list of the kind has with a filter, as its query has it. */
export type BulkTarget =
  | { rows: readonly { id: number; name: string }[] }
  | { filter: object; total: number }

/**
 * Goes through the rows, call by call, until none is left or `stop` is called. Lists, access and choices of
 * other screens may all have changed afterwards.
 */
export function useBulkChange(kind: BulkKind, verb: BulkVerb, target: BulkTarget) {
  const [results, setResults] = useState<readonly BulkOutcome[]>()
  const isStopped = useRef(false)
  const work = useAction([], async (choice: BulkChoice) => {
    const all: BulkOutcome[] = []
    let after: number | null = 0
    while (after !== null && !isStopped.current) {
      const answer = await send(kind, verb, { target, choice, after })
      all.push(...answer.results)
      after = answer.next_after
      setResults([...all])
    }
  })
  return {
    results,
    isWorking: work.isPending,
    begin: work.mutateAsync,
    stop: () => void (isStopped.current = true),
  }
}

/** The action that takes it back. Tags, tokens and access that some rows had before are not known any more. */
const oppositeOf: Partial<Record<BulkVerb, 'enable' | 'disable' | 'delete'>> = {
  enable: 'disable',
  disable: 'enable',
  delete: 'delete',
}

/** Takes back what was done to the rows that it was done to; undefined where that can't be. */
export function useUndoBulk(kind: BulkKind, verb: BulkVerb) {
  const undoDeletion = useUndo(kind === 'apis' ? 'api' : 'endpoint')
  const opposite = oppositeOf[verb]
  const change = useAction([], async (rows: readonly { id: number; name: string }[]) => {
    for (const some of inParts(rows))
      await send(kind, opposite!, { target: { rows: some }, choice: noChoice, after: 0 })
  })
  if (opposite === undefined) return undefined
  return (results: readonly BulkOutcome[]) => {
    const done = results.filter(({ outcome }) => outcome === 'done')
    return verb === 'delete' ? undoDeletion(done.map(({ id }) => id)) : change.mutateAsync(done)
  }
}

interface Input {
  target: BulkTarget
  choice: BulkChoice
  after: number
}

async function send(kind: BulkKind, verb: BulkVerb, input: Input): Promise<BulkAnswer> {
  const { target, choice } = input
  const ids = 'rows' in target ? target.rows.map(({ id }) => id) : undefined
  const found = 'rows' in target ? {} : { filter: target.filter, after: input.after }
  if (verb === 'grant') {
    const body = { role_id: Number(choice.role), ...(ids ? { endpoints: ids } : found) }
    return call('POST /api/api-permission/bulk', { body })
  }
  const tags = verb === 'tag' ? { add_tags: choice.add, remove_tags: choice.remove } : {}
  const change = { ...(ids ? { ids } : found), ...tags }
  if (kind === 'endpoints')
    return call('POST /api/endpoint/bulk', { body: { action: verb, ...change } })
  if (verb === 'require_token') throw new Error('Only endpoints can be changed so.')
  return call('POST /api/apis/bulk', { body: { action: verb, ...change } })
}
