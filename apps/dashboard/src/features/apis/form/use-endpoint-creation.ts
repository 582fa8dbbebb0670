import { useEffect, useRef, useState } from 'react'
import type { PlannedEndpoint } from '../../../entities/endpoint/planned-endpoint.ts'
import { reasonOf } from '../../../lib/calls/call-error.ts'

export interface CreationRow {
  endpoint: PlannedEndpoint
  state: 'waiting' | 'creating' | 'created' | 'failed'
  /** Why it failed. */
  reason: string
  /** Once it is created. */
  id?: number
}

export interface Creation {
  apiId: number
  apiName: string
  isRunning: boolean
  rows: readonly CreationRow[]
}

/** `askedId`: the endpoint that is asked for decisions, where it was created. */
export type CreateEndpoint = (
  apiId: number,
  endpoint: PlannedEndpoint,
  askedId: number | undefined,
) => Promise<{ id: number }>

/** Creates endpoints of a saved API, one after the other. One that fails does not stop the others. */
export function useEndpointCreation(
  create: CreateEndpoint,
  onDone: (apiId: number, count: number) => void,
) {
  const [creation, setCreation] = useState<Creation>()
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])

  async function run(started: Creation): Promise<void> {
    let rows = started.rows
    const show = (isRunning: boolean) => setCreation({ ...started, rows, isRunning })
    const mark = (at: number, change: Partial<CreationRow>) => {
      rows = rows.map((row, other) => (other === at ? { ...row, ...change } : row))
      show(true)
    }
    for (const [at, { endpoint, state }] of started.rows.entries()) {
      if (state === 'created') continue
      mark(at, { state: 'creating', reason: '' })
      try {
        const asked = rows.find((row) => row.endpoint.path === endpoint.asks)
        const { id } = await create(started.apiId, endpoint, asked?.id)
        mark(at, { state: 'created', id })
      } catch (error) {
        mark(at, { state: 'failed', reason: reasonOf(error) })
      }
    }
    show(false)
    if (rows.every(({ state }) => state === 'created') && !isLeft.current)
      onDone(started.apiId, rows.length)
  }

  return {
    creation,
    start: (api: { apiId: number; apiName: string }, endpoints: readonly PlannedEndpoint[]) =>
      run({
        ...api,
        isRunning: true,
        rows: endpoints.map((endpoint) => ({ endpoint, state: 'waiting', reason: '' })),
      }),
    retry: () => creation && run(creation),
  }
}
