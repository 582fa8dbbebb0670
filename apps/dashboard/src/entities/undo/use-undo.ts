import type { UndoableThing } from '@gatehouse/contract'
import { CallError } from '../../lib/calls/call-error.ts'
import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { inParts } from '../../lib/calls/in-parts.ts'

/**
 * Brings back records that the user has just deleted, named in the order of the deletion. Lists, access and choices of other screens may all have
 * changed afterwards. Throws where one can't come back; the others are back.
 */
export function useUndo(thing: UndoableThing) {
  const undoing = useAction([], async (ids: readonly number[]) => {
    const refused = new Set<string>()
    // What was deleted last comes back first.
    for (const some of inParts(ids).toReversed()) {
      const body = { thing, ids: some }
      const { results } = await call('POST /api/deletions/undo', { body })
      for (const { message } of results) if (message !== null) refused.add(message)
    }
    if (refused.size > 0)
      throw new CallError({ status: 409, code: 'deletion.over', message: [...refused].join(' ') })
  })
  return undoing.mutateAsync
}
