import { useQueries, useQueryClient } from '@tanstack/react-query'
import { answerTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { useCallback, useMemo, useState } from 'react'
import { call } from '../../lib/calls/call.ts'
import { readKept, writeKept } from '../../lib/browser/kept-storage.ts'
import { useCan, useUser } from '../../lib/session/session.tsx'

/** Larger samples are not kept in the browser. */
const keptMaxCharacters = 256 * 1024

/** What a step takes values from. */
export interface Sample {
  /** 0: the input. */
  step: number
  label: string
  /** Undefined: there is none yet, or it can't be read. */
  data: ExactJson | undefined
  /** Where it comes from, in words; blank where there is none. */
  origin: string
  /** True for one that a person has pasted. */
  isPasted?: boolean
  /** Keeps a pasted answer in this tab; blank forgets it. Absent for the input. */
  paste?: ((text: string) => void) | undefined
}

interface LastAnswer {
  text: string
  run: number
}

/**
 * A sample answer of each of these endpoints: a pasted one, else the last answer of a run that succeeded, to
 * users who may see runs. What was sent as a credential is masked in it, as on the page of the run.
 */
export function useSampleAnswers(
  endpoints: readonly (string | null)[],
  /** False: nothing needs the answers yet, and none is fetched. */
  isWanted: boolean,
): Sample[] {
  const { id: userId } = useUser()
  const can = useCan()
  const client = useQueryClient()
  const [changes, noteChange] = useState(0)
  const seesRuns = can('run.view')
  const last = useQueries({
    queries: endpoints.map((endpoint) => ({
      queryKey: ['runs', 'sample', endpoint],
      queryFn: ({ signal }: { signal: AbortSignal }) => lastAnswer(Number(endpoint), signal),
      enabled: isWanted && seesRuns && endpoint !== null,
      staleTime: 60_000,
      retry: false,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  const paste = useCallback(
    (endpoint: string, text: string) => {
      try {
        writeKept(keyOf(userId, endpoint), text.length > keptMaxCharacters ? '' : text)
      } catch {
        // Full, or forbidden: there is no sample then.
      }
      noteChange((count) => count + 1)
      void client.invalidateQueries({ queryKey: ['runs', 'sample', endpoint] })
    },
    [userId, client],
  )
  const lastKey = JSON.stringify(last.map((answer) => answer?.run ?? null))
  return useMemo(
    () =>
      endpoints.map((endpoint, at): Sample => {
        const pasted = endpoint === null ? '' : (readKept(keyOf(userId, endpoint)) ?? '')
        const found = last[at]
        const text = pasted || (found?.text ?? '')
        const origin = pasted ? 'Pasted' : found ? `Answer of run ${found.run}` : ''
        return {
          step: at + 1,
          label: `Answer of step ${at + 1}`,
          data: text === '' ? undefined : answerTree(text),
          origin,
          isPasted: pasted !== '',
          paste: endpoint === null ? undefined : (given) => paste(endpoint, given),
        }
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the answers are compared by their runs
    [JSON.stringify(endpoints), lastKey, changes, userId, paste],
  )
}

const keyOf = (userId: number, endpoint: string) => `sample.${userId}.${endpoint}`

async function lastAnswer(endpoint: number, signal: AbortSignal): Promise<LastAnswer | null> {
  const query = {
    page: 1,
    limit: 1,
    sort: '-id',
    state: 'succeeded',
    endpoint,
    search: '',
  } as const
  const [{ data }] = await call('GET /api/runs', { query, signal })
  const [run] = data
  if (!run) return null
  const detail = await call('GET /api/runs/:id', { params: { id: run.id }, query: {}, signal })
  const step = detail.steps.find((each) => each.endpoint_id === endpoint)
  const answer = step?.attempts.findLast((attempt) => attempt.answer_body !== null)?.answer_body
  return answer?.is_whole ? { text: answer.text, run: run.id } : null
}
